package dev.stowage.bench;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * How long runs of a model took, on two allocators in turn.
 *
 * @param pairs a run on each
 */
record OnnxRuntimeTimes(List<Pair> pairs) {

  /** The parts of a measurement that are looked at apart, to see how much it is worth. */
  private static final int PARTS = 10;

  /**
   * A run.
   *
   * @param nanos how long it took
   * @param cpuNanos how long the calling thread computed in that
   */
  record Run(long nanos, long cpuNanos) {}

  /**
   * A run on each allocator.
   *
   * @param own on the engine's own arena
   * @param ours on ours
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

  /** {@return our median as a multiple of theirs} */
  double ratio() {
    return ratio(pairs, Run::nanos);
  }

  /** {@return our median of the time that the calling thread computed, as a multiple of theirs} */
  double cpuRatio() {
    return ratio(pairs, Run::cpuNanos);
  }

  /** {@return the same, of ten parts of the measurement, ascending} */
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
