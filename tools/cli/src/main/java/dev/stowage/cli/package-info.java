/**
 * The program {@code stowage}: its process, and its list of commands.
 *
 * <p>Parsing, deciding and printing are in separate packages: {@code option} has the options that
 * commands share, {@code command} has the commands, and {@code run} runs them on each file. {@code
 * input} reads files, {@code plan}, {@code banks}, {@code replay}, {@code tune}, {@code budget},
 * {@code check}, {@code verify} and {@code rewrite} do the work, {@code report} prints, and {@code
 * output} and {@code picture} write files and pages. None of the first three plans anything.
 *
 * <ul>
 *   <li>A {@link Program} runs command lines with its streams. A {@link CommandFactory} creates the
 *       commands with what they need.
 *   <li>{@link Signals} reports a signal to {@code plan.Interruption}, which runs all slow work in
 *       threads of its own: reading a file, one strategy, one search. A search is cancelled and
 *       returns its best plan; other work is abandoned. The report then has the finished plans.
 *   <li>{@code ./stowage} keeps a cache of loaded classes (JDK 25's AOT cache), which shortens the
 *       start from 0.4 s to 0.2 s. The script creates it with {@link Training}.
 * </ul>
 */
package dev.stowage.cli;
