package dev.stowage.cli.verify;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.Optional;

/**
 * A request for the verification of models.
 *
 * @param options the options of the reader of models
 * @param strategy the strategy; empty for the default one
 * @param timeLimit the limit for a model, if there is one
 * @param ranges the ranges of dimensions, if there are any
 * @param seed the seed of the values of the inputs
 */
public record VerifyRequest(
    OnnxOptions options,
    Optional<MemoryStrategy> strategy,
    Optional<Duration> timeLimit,
    Optional<DimensionRanges> ranges,
    long seed) {}
