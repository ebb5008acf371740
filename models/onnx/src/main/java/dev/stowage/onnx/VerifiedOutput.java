package dev.stowage.onnx;

import java.util.Optional;

/**
 * An output of a model that ran in planned memory, compared with ONNX Runtime's output.
 *
 * @param name the name
 * @param type the type; empty if it is not a tensor
 * @param elementCount the number of elements
 * @param isBitIdentical true if it is identical to the output of ONNX Runtime's own run without
 *     optimizations, bit for bit
 * @param maxAbsDifference the largest difference of an element from that run; {@link
 *     Double#MAX_VALUE} if only one of two elements is NaN, or if the shapes differ
 * @param optimizedMaxAbsDifference the same for a run with ONNX Runtime's default optimizations
 */
public record VerifiedOutput(
    String name,
    Optional<OnnxTensorType> type,
    long elementCount,
    boolean isBitIdentical,
    double maxAbsDifference,
    double optimizedMaxAbsDifference) {}
