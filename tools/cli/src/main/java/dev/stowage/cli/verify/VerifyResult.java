package dev.stowage.cli.verify;

import dev.stowage.onnx.VerificationReport;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.Optional;

/**
 * The result of a run of a model in planned memory.
 *
 * @param input the file as on the command line
 * @param shape the shape of the run, if dimensions have ranges
 * @param operatorCount the number of operators
 * @param recordCount the number of planned records
 * @param naiveBytes the bytes of all records without sharing
 * @param lowerBoundBytes the lower bound of all plans
 * @param strategy the strategy that planned the arena
 * @param report the outputs, and the engine's own memory
 */
public record VerifyResult(
    String input,
    Optional<DimensionValues> shape,
    int operatorCount,
    int recordCount,
    long naiveBytes,
    long lowerBoundBytes,
    String strategy,
    VerificationReport report) {}
