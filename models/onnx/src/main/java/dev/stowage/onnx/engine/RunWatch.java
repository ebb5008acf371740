package dev.stowage.onnx.engine;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * The observer of runs.
 *
 * @param stop returns true to end the runs; any thread calls it between operators
 * @param operatorsDone receives the number of operators that have run in planned memory
 */
public record RunWatch(BooleanSupplier stop, IntConsumer operatorsDone) {}
