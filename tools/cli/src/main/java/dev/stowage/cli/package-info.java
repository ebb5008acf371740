/**
 * The program {@code stowage}: its process, and its list of commands.
 *
 * <p>{@code command} has the commands, {@code option} the options that commands share, and {@code
 * run} the run of a command on each input. {@code input}, {@code trace}, {@code failure} and {@code
 * pasted} read files. {@code plan}, {@code banks}, {@code replay}, {@code netty}, {@code tune},
 * {@code diff}, {@code budget}, {@code gate}, {@code check}, {@code verify}, {@code rewrite} and
 * {@code devices} do the work. {@code conclusion} and {@code report} make and print answers, and
 * {@code output} and {@code picture} write files. {@code text} and {@code console} serve all of
 * them.
 *
 * <ul>
 *   <li>A {@link Program} runs command lines with its streams. Commands get the streams and signals
 *       from the {@link RootCommand}.
 *   <li>{@link Signals} reports a signal to {@code plan.Interruption}. It runs all slow work in
 *       threads of its own: reading a file, one strategy, one search. A search is cancelled and
 *       returns its best plan; other work is abandoned. The report then has the finished plans.
 *   <li>{@code ./stowage} keeps a cache of loaded classes (JDK 25's AOT cache), which shortens the
 *       start from 0.4 s to 0.2 s. The script creates it with {@link Training}.
 * </ul>
 */
package dev.stowage.cli;
