/**
 * The texts of failures: eight grammars, the verdict, and the changes that help.
 *
 * <p>A {@link dev.stowage.cli.failure.FailureReader} passes the lines of a text to each {@link
 * dev.stowage.cli.failure.FailureText}, a grammar. A grammar extracts a {@link
 * dev.stowage.cli.failure.Failure} with its {@link dev.stowage.cli.failure.FailureNumbers}. {@link
 * dev.stowage.cli.failure.FailureVerdict} decides, {@link dev.stowage.cli.failure.FailureWords} has
 * the words, and {@link dev.stowage.cli.failure.FailureRemedies} the changes.
 */
@NullMarked
package dev.stowage.cli.failure;

import org.jspecify.annotations.NullMarked;
