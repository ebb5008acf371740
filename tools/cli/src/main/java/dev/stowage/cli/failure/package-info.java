/**
 * The texts of failures: their grammars, the verdict, and the changes that help.
 *
 * <p>A {@link dev.stowage.cli.failure.FailureReader} passes the lines of a text to each {@link
 * dev.stowage.cli.failure.FailureGrammar}, which extracts a {@link dev.stowage.cli.failure.Failure}
 * with its {@link dev.stowage.cli.failure.FailureNumbers}. {@link
 * dev.stowage.cli.failure.FailureVerdict} decides, {@link dev.stowage.cli.failure.FailureFacts} has
 * the names of all facts, and {@link dev.stowage.cli.failure.FailureChanges} the changes.
 *
 * <p>The resource {@code grammars.txt} has the texts, {@code numbers.txt} the numbers that follow
 * from others, {@code sentences.txt} the answers, and {@code remedies.txt} the changes and the ways
 * to record. Each line has the facts that it needs.
 */
@NullMarked
package dev.stowage.cli.failure;

import org.jspecify.annotations.NullMarked;
