package dev.stowage.process;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The growth of the memory of a process over samples, by owner, and its causes. */
public final class MemoryGrowth {

  /*
   * Smaller growth has no verdict: the virtual machine compiles code and loads classes at any time,
   * and each sample leaves some hundred KiB in the process.
   */

  private static final long LEAST_BYTES = 1 << 20;
  private static final int LEAST_SHARE = 100;

  private final int leftOut;
  private final List<MemorySample> samples;
  private final GrowthSeries series;
  private final List<OwnerGrowth> parts;
  private final List<GrowthVerdict> verdicts;

  /**
   * Computes the growth.
   *
   * <p>If the virtual machine has answered in two samples or more, samples without its answer are
   * left out, because their parts have other owners.
   *
   * @param given at least two samples; if all have a time, their order does not matter
   * @throws IllegalArgumentException if there are fewer than two samples
   */
  public MemoryGrowth(List<MemorySample> given) {
    if (given.size() < 2) {
      throw new IllegalArgumentException(
          "a growth needs two or more samples: samples=" + given.size());
    }
    List<MemorySample> answered = given.stream().filter(MemorySample::hasVm).toList();
    List<MemorySample> samples = answered.size() < 2 ? given : answered;
    leftOut = given.size() - samples.size();
    boolean hasTimes = samples.stream().allMatch(sample -> sample.time().isPresent());
    this.samples =
        hasTimes
            ? samples.stream()
                .sorted(Comparator.comparing(sample -> sample.time().orElse(Instant.EPOCH)))
                .toList()
            : List.copyOf(samples);
    series = new GrowthSeries(this.samples);
    parts = growths();
    verdicts = new GrowthRules(series, leastBytes()).verdicts(parts);
  }

  private List<OwnerGrowth> growths() {
    Map<MemoryOwner, Boolean> estimates = new EnumMap<>(MemoryOwner.class);
    for (MemorySample sample : samples) {
      sample
          .memory()
          .parts()
          .forEach(part -> estimates.merge(part.owner(), part.isEstimate(), Boolean::logicalOr));
    }
    List<OwnerGrowth> growths = new ArrayList<>();
    estimates.forEach((owner, isEstimate) ->
        growths.add(
            new OwnerGrowth(
                owner,
                isEstimate,
                series.growth(sample -> sample.bytesOf(owner)),
                figures(owner))));
    growths.sort(
        Comparator.comparingLong((OwnerGrowth part) -> part.bytes().growthBytes())
            .thenComparingLong(part -> part.bytes().lastBytes())
            .reversed()
            .thenComparing(OwnerGrowth::owner));
    return List.copyOf(growths);
  }

  private List<OwnerGrowth.Figure> figures(MemoryOwner owner) {
    return Arrays.stream(SampleFigure.values())
        .filter(figure -> owner(figure) == owner)
        .flatMap(figure ->
            series.growth(figure).stream()
                .map(bytes -> new OwnerGrowth.Figure(figure.title(), bytes)))
        .toList();
  }

  private MemoryOwner owner(SampleFigure figure) {
    return figure.owner() == MemoryOwner.LARGE_BLOCKS
        ? samples.getLast().requestOwner()
        : figure.owner();
  }

  /** {@return the samples, in the order of time} */
  public List<MemorySample> samples() {
    return samples;
  }

  /** {@return the time from the first sample to the last one; empty if it is not known} */
  public Optional<Duration> duration() {
    return series.millis().stream().mapToObj(Duration::ofMillis).findFirst();
  }

  /** {@return the growth of all resident bytes} */
  public ByteGrowth residentBytes() {
    return series.growth(sample -> sample.memory().residentBytes());
  }

  /** {@return the growth of each part, the largest growth first} */
  public List<OwnerGrowth> parts() {
    return parts;
  }

  /**
   * {@return the least growth that has a verdict: 1 MiB, or 1 % of the resident bytes of the first
   * sample if this is more}
   */
  public long leastBytes() {
    return Math.max(LEAST_BYTES, samples.getFirst().memory().residentBytes() / LEAST_SHARE);
  }

  /** {@return the verdicts, the largest growth first; none if nothing grows} */
  public List<GrowthVerdict> verdicts() {
    return verdicts;
  }

  /** {@return sentences on information that the samples lack} */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    List<String> processes =
        samples.stream()
            .map(sample -> "(" + sample.memory().pid() + ", " + sample.memory().command() + ")")
            .distinct()
            .toList();
    if (processes.size() > 1) {
      notes.add("the samples are of different processes: " + String.join(", ", processes));
    }
    if (series.millis().isEmpty()) {
      notes.add(
          "not all samples have a time, so the growth per hour is unknown; add a section '== time'"
              + " with the output of date +%s to each dump");
    }
    if (leftOut > 0) {
      notes.add(
          "in "
              + leftOut
              + (leftOut == 1 ? " sample" : " samples")
              + ", the virtual machine did not answer; the growth is computed from the others");
    }
    notes.addAll(samples.getLast().memory().notes());
    return notes;
  }
}
