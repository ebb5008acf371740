package dev.stowage.cli.rewrite;

import dev.stowage.tflite.micro.ScratchBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The options of a rewrite.
 *
 * @param isReordered true to search for a better order of the operators
 * @param isAliased true if operators may work in place
 * @param isPlanReplaced true to replace a plan in the model in any case
 * @param isForced true to write a plan although TensorFlow Lite Micro alone needs less
 * @param scratch the scratch buffers, if they are known
 * @param regionBytes the bytes of each memory region of the application for decompression
 * @param timeLimit the limit of each search
 */
public record RewriteOptions(
    boolean isReordered,
    boolean isAliased,
    boolean isPlanReplaced,
    boolean isForced,
    Optional<List<ScratchBuffer>> scratch,
    List<Long> regionBytes,
    Duration timeLimit) {}
