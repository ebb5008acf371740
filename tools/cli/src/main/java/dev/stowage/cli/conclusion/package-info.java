/**
 * The conclusions of commands: the figure and the sentence that answer the question, the
 * confidence, and the next command.
 *
 * <p>A page and the terminal start with the conclusion. The terminal ends with the next command.
 */
@NullMarked
package dev.stowage.cli.conclusion;

import org.jspecify.annotations.NullMarked;
