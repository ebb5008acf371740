package dev.stowage.cli.rewrite;

import dev.stowage.cli.input.MicroOptions;
import java.time.Duration;

/**
 * The options of a rewrite.
 *
 * @param isReordered true to search for a better order of the operators
 * @param isAliased true if operators may work in place
 * @param isPlanReplaced true to replace a plan in the model in any case
 * @param isForced true to write a plan although TensorFlow Lite Micro alone needs less
 * @param micro the kernels and their memory
 * @param timeLimit the limit of each search
 */
public record RewriteOptions(
    boolean isReordered,
    boolean isAliased,
    boolean isPlanReplaced,
    boolean isForced,
    MicroOptions micro,
    Duration timeLimit) {}
