package dev.stowage.onnx.engine;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * A caller's view of runs.
 *
 * @param stop says whether to end them; asked between operators, by any thread
 * @param operatorsDone is told how many operators have run in planned memory
 */
public record RunWatch(BooleanSupplier stop, IntConsumer operatorsDone) {}
