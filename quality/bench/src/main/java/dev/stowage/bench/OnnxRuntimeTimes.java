package dev.stowage.bench;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * The times of runs of a model, with two allocators in turn.
 *
 * @param pairs a run with each allocator
 */
record OnnxRuntimeTimes(List<Pair> pairs) {

  /** The number of parts of a measurement, whose ratios show its spread. */
  private static final int PARTS = 10;

  /**
   * A run.
   *
   * @param nanos the elapsed time
   * @param cpuNanos the CPU time of the calling thread
   */
  record Run(long nanos, long cpuNanos) {}

  /**
   * A run with each allocator.
   *
   * @param own the run with ONNX Runtime's arena
   * @param ours the run with Stowage's allocator
   */
  record Pair(Run own, Run ours) {}

  OnnxRuntimeTimes {
    pairs = List.copyOf(pairs);
  }

  double ownMedianMicros() {
    return median(pairs, Pair::own, Run::nanos) / 1e3;
  }

  double ourMedianMicros() {
    return median(pairs, Pair::ours, Run::nanos) / 1e3;
  }

  /**
   * {@return the median with Stowage's allocator as a multiple of that with ONNX Runtime's arena}
   */
  double ratio() {
    return ratio(pairs, Run::nanos);
  }

  /** {@return the same ratio for the CPU time of the calling thread} */
  double cpuRatio() {
    return ratio(pairs, Run::cpuNanos);
  }

  /** {@return the ratios of ten parts of the measurement, ascending} */
  double[] cpuRatiosOfParts() {
    return IntStream.range(0, PARTS)
        .mapToObj(
            part -> pairs.subList(pairs.size() * part / PARTS, pairs.size() * (part + 1) / PARTS))
        .mapToDouble(part -> ratio(part, Run::cpuNanos))
        .sorted()
        .toArray();
  }

  private static double ratio(List<Pair> pairs, ToLongFunction<Run> nanos) {
    return median(pairs, Pair::ours, nanos) / median(pairs, Pair::own, nanos);
  }

  private static double median(
      List<Pair> pairs, Function<Pair, Run> side, ToLongFunction<Run> nanos) {
    long[] sorted = pairs.stream().map(side).mapToLong(nanos).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2.0;
  }
}
