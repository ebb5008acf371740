package dev.stowage.onnx;

/**
 * An output of a model that ran in planned memory, beside the engine's own.
 *
 * @param name its name
 * @param elementCount how many elements it has
 * @param isBitIdentical whether it is that of the engine's own run without optimizations, bit for
 *     bit
 * @param maxAbsDifference the largest difference of an element to that run's; {@link
 *     Double#MAX_VALUE} where one of two is no number, or the two have not the same shape
 * @param optimizedMaxAbsDifference the same beside the engine's run with its default optimizations
 */
public record VerifiedOutput(
    String name,
    long elementCount,
    boolean isBitIdentical,
    double maxAbsDifference,
    double optimizedMaxAbsDifference) {}
