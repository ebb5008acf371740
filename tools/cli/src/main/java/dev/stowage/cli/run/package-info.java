/**
 * The run of a command on its files: messages, progress, pages, and the exit code.
 *
 * <ul>
 *   <li>{@link InputRun} works on each input, and prints and writes the {@link Outcome}. Every
 *       failure of an input ends there, so that it affects no other input.
 *   <li>With {@code --baseline}, a {@link BaselineGate} compares the figures of each input with the
 *       figures in the file, or collects them for a new file.
 * </ul>
 */
package dev.stowage.cli.run;
