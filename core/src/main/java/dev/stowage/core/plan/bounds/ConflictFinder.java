package dev.stowage.core.plan.bounds;

import dev.stowage.core.plan.LiveRange;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.bounds.CapacityConflict.Reason;
import dev.stowage.core.plan.search.OffsetsSearch;
import dev.stowage.core.plan.search.OffsetsSearchResult;
import dev.stowage.core.plan.search.SearchOptions;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import dev.stowage.core.plan.time.TaskLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Finds a {@link CapacityConflict}: simple facts first, then by searching. */
final class ConflictFinder {

  /** One search may take this part of the time that is left. */
  private static final int SHARES = 4;

  /** More records are not planned just to show that a bound is exact. */
  private static final int MOST_PLANNED = 1_000;

  private final PlanProblem problem;
  private final long capacityBytes;
  private final SearchOptions options;
  private final long startNanos = System.nanoTime();
  private final List<Integer> all;

  ConflictFinder(PlanProblem problem, long capacityBytes, SearchOptions options) {
    this.problem = problem.withoutUnusedGaps();
    this.capacityBytes = capacityBytes;
    this.options = options;
    all = IntStream.range(0, problem.records().size()).boxed().toList();
  }

  Optional<CapacityConflict> find() {
    return liveBytes().or(this::recordEnd).or(() -> padding(all)).or(this::searched);
  }

  private TensorUsageRecord record(int index) {
    return problem.records().get(index);
  }

  private boolean isPinned(int index) {
    return record(index).pinnedOffset().isPresent();
  }

  /** {@return the remaining time, zero if there is none} */
  private Duration remaining() {
    Duration left = options.timeLimit().minusNanos(System.nanoTime() - startNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private boolean isOver() {
    return remaining().isZero();
  }

  private Optional<CapacityConflict> liveBytes() {
    return TaskLoad.heaviest(problem)
        .filter(load -> load.bytes() > capacityBytes)
        .map(load -> tooManyLiveBytes(load.task()));
  }

  /** {@return as few records as possible of those that need some byte at a task, largest first} */
  private CapacityConflict tooManyLiveBytes(long task) {
    List<Integer> live = all.stream().filter(i -> record(i).bytesNeededAt(task) > 0).toList();
    Set<Integer> pins = new TreeSet<>(live.stream().filter(this::isPinned).toList());
    Set<Integer> records = new TreeSet<>(pins);
    long movableBytes =
        live.stream().filter(i -> !isPinned(i)).mapToLong(i -> record(i).bytesNeededAt(task)).sum();
    long pinnedBytes = unionBytes(pins, task);
    for (int i : ascending(live, i -> record(i).bytesNeededAt(task))) {
      long bytes = record(i).bytesNeededAt(task);
      if (!isPinned(i)) {
        if (movableBytes - bytes + pinnedBytes > capacityBytes) {
          movableBytes -= bytes;
        } else {
          records.add(i);
        }
      } else if (!isOver()) {
        pins.remove(i);
        long others = unionBytes(pins, task);
        if (movableBytes + others > capacityBytes) {
          pinnedBytes = others;
          records.remove(i);
        } else {
          pins.add(i);
        }
      }
    }
    long bytes = movableBytes + pinnedBytes;
    return conflict(records, bytes, new Reason.LiveBytes(task, isHeld(records, bytes)));
  }

  /**
   * {@return true if a plan shows that an arena of some bytes holds the records}
   *
   * <p>Two plans are tried: the records one after the other, and those of a quick strategy.
   */
  private boolean isHeld(Collection<Integer> records, long bytes) {
    PlanProblem some = only(List.copyOf(records));
    if (!some.hasPins() && MemoryStrategy.NAIVE.planOffsets(some).totalBytes() <= bytes) {
      return true;
    }
    if (records.size() > MOST_PLANNED) {
      return false;
    }
    try {
      return MemoryStrategy.TFLM_GREEDY.planner().planOffsets(some, this::isOver).totalBytes()
          <= bytes;
    } catch (CancellationException e) {
      return false;
    }
  }

  /**
   * {@return indices by ascending bytes, of equal ones the last first: the first to be left out}
   */
  private static List<Integer> ascending(List<Integer> indices, ToLongFunction<Integer> bytes) {
    return indices.stream()
        .sorted(Comparator.comparingLong(bytes).thenComparing(Comparator.reverseOrder()))
        .toList();
  }

  private static CapacityConflict conflict(
      Collection<Integer> records, long leastBytes, Reason reason) {
    return new CapacityConflict(records.stream().sorted().toList(), leastBytes, reason);
  }

  /** {@return the bytes that pinned records need at a task; shared bytes count once} */
  private long unionBytes(Collection<Integer> pins, long task) {
    List<LiveRange> ranges = new ArrayList<>();
    for (int i : pins) {
      long offset = record(i).pinnedOffset().orElseThrow();
      record(i).liveRanges().stream()
          .filter(range -> range.firstTask() <= task && task <= range.lastTask())
          .map(range ->
              new LiveRange(task, task, offset + range.startByte(), offset + range.endByte()))
          .forEach(ranges::add);
    }
    ranges.sort(Comparator.comparingLong(LiveRange::startByte));
    long bytes = 0;
    long end = 0;
    for (LiveRange range : ranges) {
      bytes += Math.max(0, range.endByte() - Math.max(end, range.startByte()));
      end = Math.max(end, range.endByte());
    }
    return bytes;
  }

  /** {@return the record that ends last, if it alone needs too large an arena} */
  private Optional<CapacityConflict> recordEnd() {
    return all.stream()
        .max(Comparator.comparingLong(this::leastEnd).thenComparing(Comparator.reverseOrder()))
        .filter(i -> leastEnd(i) > capacityBytes)
        .map(i -> conflict(List.of(i), leastEnd(i), new Reason.RecordEnd()));
  }

  private long leastEnd(int index) {
    return record(index).pinnedOffset().orElse(0) + record(index).bytes();
  }

  /** {@return records of {@code among} that are live at one task and padded too much} */
  private Optional<CapacityConflict> padding(List<Integer> among) {
    return PaddedLoad.heaviest(problem, among)
        .filter(load -> load.bytes() > capacityBytes)
        .map(load -> load.reduced(problem, capacityBytes))
        .map(this::withPlan);
  }

  /** {@return a conflict by padding whose bytes are exact if a plan shows it} */
  private CapacityConflict withPlan(CapacityConflict padded) {
    return padded.reason() instanceof Reason.Padding(long task, long alignment, boolean isExact)
            && !isExact
        ? conflict(
            padded.records(),
            padded.leastBytes(),
            new Reason.Padding(task, alignment, isHeld(padded.records(), padded.leastBytes())))
        : padded;
  }

  private Optional<CapacityConflict> searched() {
    long leastBytes = provedBytes(all);
    if (leastBytes <= capacityBytes) {
      return Optional.empty();
    }
    List<Integer> records = all;
    int size = (records.size() + 1) / 2;
    while (true) {
      int from = 0;
      while (from < records.size() && !isOver()) {
        List<Integer> others = new ArrayList<>(records);
        others.subList(from, Math.min(from + size, records.size())).clear();
        long bytes = provedBytes(others);
        if (bytes > capacityBytes) {
          records = others;
          leastBytes = bytes;
        } else {
          from += size;
        }
      }
      if (size == 1 || isOver()) {
        List<Integer> left = records;
        long bytes = leastBytes;
        return padding(left).or(() -> Optional.of(unplaceable(left, bytes)));
      }
      size = (size + 1) / 2;
    }
  }

  /** {@return a bound of some records, from a search that ends once it exceeds the capacity} */
  private long provedBytes(List<Integer> some) {
    SearchOptions share =
        options.withCapacityDecision(capacityBytes).withTimeLimit(remaining().dividedBy(SHARES));
    return OffsetsSearch.of(only(some), share).run().lowerBoundBytes();
  }

  private PlanProblem only(List<Integer> some) {
    return problem.subset(some);
  }

  /**
   * {@return a conflict that took a search, with the smallest arena if there is time to find it}
   */
  private CapacityConflict unplaceable(List<Integer> records, long provedBytes) {
    SearchOptions smallest =
        SearchOptions.defaults()
            .withTimeLimit(remaining())
            .withThreads(options.threads())
            .withProgress(options.progress());
    OffsetsSearchResult result = OffsetsSearch.of(only(records), smallest).run();
    long leastBytes = Math.max(provedBytes, result.lowerBoundBytes());
    boolean isExact = result.assignment().totalBytes() == leastBytes;
    List<Integer> movable = records.stream().filter(i -> !isPinned(i)).toList();
    return conflict(
        records,
        leastBytes,
        movable.size() == 1
            ? new Reason.Pins(movable.getFirst(), isExact)
            : new Reason.NoPlacement(isExact));
  }
}
