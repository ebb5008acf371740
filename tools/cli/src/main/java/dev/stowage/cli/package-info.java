/**
 * The command {@code stowage}: its options, and the work of each command on each file.
 *
 * <p>Parsing, deciding and printing are in separate packages: {@code input} reads files, {@code
 * plan}, {@code banks}, {@code replay}, {@code tune}, {@code budget}, {@code check}, {@code verify}
 * and {@code rewrite} do the work, {@code report} prints, and {@code output} and {@code picture}
 * write files and pages. This package plans nothing of its own.
 *
 * <ul>
 *   <li>A {@link Program} runs command lines with its streams. A {@link CommandFactory} creates the
 *       commands with what they need.
 *   <li>{@link EachFile} runs the work on each file. Every failure of a file ends there, so that it
 *       affects no other file.
 *   <li>{@link Signals} reports a signal to {@code plan.Interruption}, which runs all slow work in
 *       threads of its own: reading a file, one strategy, one search. A search is cancelled and
 *       returns its best plan; other work is abandoned. The report then has the finished plans.
 *   <li>With {@code --baseline}, a {@link BaselineGate} compares the figures of each input with
 *       those of the file, or collects them for a new one. A {@link JunitRun} observes the exit
 *       code and the messages of each input.
 *   <li>A {@link Worker} runs commands for another process, such as a sweep.
 *   <li>{@code ./stowage} keeps a cache of loaded classes (JDK 25's AOT cache), which shortens the
 *       start from 0.4 s to 0.2 s. The script creates it with {@link Training}. Workers of a sweep
 *       use it, too, and therefore need the same {@code --enable-native-access}.
 * </ul>
 */
package dev.stowage.cli;
