/**
 * The conclusions of plans, replays, settings, comparisons, budgets and processes: the figure and
 * the sentence that answer the question, the confidence, and the next command.
 *
 * <p>The page and the terminal start with the conclusion, and the terminal ends with the next
 * command. Answers of other commands start with a line of their own.
 */
@NullMarked
package dev.stowage.cli.conclusion;

import org.jspecify.annotations.NullMarked;
