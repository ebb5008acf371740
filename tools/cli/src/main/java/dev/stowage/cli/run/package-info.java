/**
 * The run of a command on its files: messages, progress, pages, and the exit code.
 *
 * <ul>
 *   <li>{@link EachFile} runs the work on each file. Every failure of a file ends there, so that it
 *       affects no other file.
 *   <li>With {@code --baseline}, a {@link BaselineGate} compares the figures of each input with
 *       those of the file, or collects them for a new one.
 * </ul>
 */
package dev.stowage.cli.run;
