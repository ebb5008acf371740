package dev.stowage.process;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/** The figures of samples in the order of time, and their growth. */
final class GrowthSeries {

  private final List<MemorySample> samples;

  /** The time of each sample; empty if a time is not known. */
  private final List<Long> millis;

  GrowthSeries(List<MemorySample> samples) {
    this.samples = samples;
    boolean hasTimes = samples.stream().allMatch(sample -> sample.time().isPresent());
    millis =
        hasTimes
            ? samples.stream().map(sample -> sample.time().orElseThrow().toEpochMilli()).toList()
            : List.of();
  }

  ByteGrowth growth(ToLongFunction<MemorySample> number) {
    return ResistantLine.growth(samples.stream().map(number::applyAsLong).toList(), millis);
  }

  /** {@return the growth of a figure; empty if a sample does not have it} */
  Optional<ByteGrowth> growth(SampleFigure figure) {
    return values(figure).map(values -> ResistantLine.growth(values, millis));
  }

  private Optional<List<Long>> values(SampleFigure figure) {
    List<Long> values = new ArrayList<>();
    for (MemorySample sample : samples) {
      sample.figure(figure).ifPresent(values::add);
    }
    return values.size() == samples.size() ? Optional.of(values) : Optional.empty();
  }

  /**
   * {@return the growth of the lowest values of the three thirds of the samples; empty unless the
   * figure falls both in the last third and before, as objects do at a collection}
   */
  Optional<ByteGrowth> growthOfLows(SampleFigure figure) {
    List<Long> values = values(figure).orElse(List.of());
    int outer = (values.size() + 1) / 3;
    int right = values.size() - outer;
    if (outer < 2
        || !falls(values.subList(0, right))
        || !falls(values.subList(right - 1, values.size()))) {
      return Optional.empty();
    }
    List<Long> lows =
        List.of(
            Collections.min(values.subList(0, outer)),
            Collections.min(values.subList(outer, right)),
            Collections.min(values.subList(right, values.size())));
    List<Long> times =
        millis.isEmpty()
            ? millis
            : List.of(
                millis.get(outer / 2),
                millis.get(values.size() / 2),
                millis.get(right + outer / 2));
    return Optional.of(ResistantLine.growth(lows, times));
  }

  private static boolean falls(List<Long> values) {
    for (int i = 1; i < values.size(); i++) {
      if (values.get(i) < values.get(i - 1)) {
        return true;
      }
    }
    return false;
  }

  /** {@return true if Native Memory Tracking is on in all samples} */
  boolean isTracked() {
    return samples.stream().noneMatch(sample -> sample.requests().isEmpty());
  }

  /** {@return true if a library replaces the allocator of the C library in a sample} */
  boolean hasOtherAllocator() {
    return samples.stream().anyMatch(MemorySample::hasOtherAllocator);
  }

  /**
   * {@return the purpose with the largest growth of requests to the C library; empty if none is
   * known}
   */
  Optional<OwnerGrowth.Figure> largestRequest() {
    TreeSet<String> purposes = new TreeSet<>();
    samples.forEach(sample -> purposes.addAll(sample.requests().keySet()));
    Optional<OwnerGrowth.Figure> largest = Optional.empty();
    for (String purpose : purposes) {
      ByteGrowth growth = growth(sample -> sample.requests().getOrDefault(purpose, 0L));
      if (largest.isEmpty() || growth.risenBytes() > largest.get().bytes().risenBytes()) {
        largest = Optional.of(new OwnerGrowth.Figure(purpose, growth));
      }
    }
    return largest;
  }

  /** {@return the time from the first sample to the last one in milliseconds, if it is known} */
  OptionalLong millis() {
    return millis.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(millis.getLast() - millis.getFirst());
  }
}
