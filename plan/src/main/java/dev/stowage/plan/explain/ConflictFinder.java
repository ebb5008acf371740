package dev.stowage.plan.explain;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.time.InPlaceSavings;
import dev.stowage.plan.time.LiveRange;
import dev.stowage.plan.time.TaskLoad;
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

/** Finds a {@link CapacityConflict}, first by simple bounds and then by searches. */
public final class ConflictFinder {

  /** Each search gets the remaining time divided by this number. */
  private static final int TIME_DIVISOR = 4;

  /** Maximum number of records that are planned to show that a bound is exact. */
  private static final int MAX_PLANNED_RECORDS = 1_000;

  private final PlanProblem problem;
  private final long capacityBytes;
  private final SearchOptions options;
  private final long startNanos = System.nanoTime();
  private final List<Integer> all;

  /** The pairs of records in place that plans may use. */
  private final List<InPlace> usablePairs;

  private ConflictFinder(PlanProblem problem, long capacityBytes, SearchOptions options) {
    this.problem = problem.withoutUnusedGaps();
    usablePairs = this.problem.usableInPlace();
    this.capacityBytes = capacityBytes;
    this.options = options;
    all = IntStream.range(0, problem.records().size()).boxed().toList();
  }

  /**
   * {@return records that do not fit together; empty if no conflict is proved within the limits}
   *
   * <p>The reason is the first of the following that applies: the live bytes at the heaviest task,
   * the end of one record, alignment padding, and an exhaustive search. The first three cost O(n
   * log n). The search removes halves of the records, then quarters and so on down to single
   * records, as long as it proves that the others do not fit, as in delta debugging (Zeller and
   * Hildebrandt, 2002). Each attempt is a separate {@link OffsetsSearch}.
   *
   * <p>With a graph, gaps are ignored: each record needs all of its bytes throughout its lifetime.
   * Records that the graph does not permit to share memory may conflict without being live at the
   * same task. Only the search finds such conflicts.
   *
   * @param problem the records
   * @param capacityBytes the capacity
   * @param options the time limit, the threads and the progress
   */
  public static Optional<CapacityConflict> find(
      PlanProblem problem, long capacityBytes, SearchOptions options) {
    return new ConflictFinder(problem, capacityBytes, options).find();
  }

  private Optional<CapacityConflict> find() {
    return liveBytes().or(this::recordEnd).or(() -> padding(all)).or(this::search);
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

  private boolean isTimeOver() {
    return remaining().isZero();
  }

  private Optional<CapacityConflict> liveBytes() {
    return TaskLoad.heaviest(problem)
        .filter(load -> load.bytes() > capacityBytes)
        .map(load -> tooManyLiveBytes(load.task()));
  }

  /** {@return a conflict of a minimal set of the records live at a task, preferably large ones} */
  private CapacityConflict tooManyLiveBytes(long task) {
    List<Integer> live = all.stream().filter(i -> record(i).bytesNeededAt(task) > 0).toList();
    Set<Integer> pins = new TreeSet<>(live.stream().filter(this::isPinned).toList());
    List<InPlace> pairs = pairsAt(task);
    Set<Integer> needed = new TreeSet<>(live);
    long movableBytes =
        live.stream().filter(i -> !isPinned(i)).mapToLong(i -> record(i).bytesNeededAt(task)).sum();
    long pinnedBytes = unionBytes(pins, task);
    long savedBytes = savedBytes(pairs, needed, task);
    for (int i : ascending(live, i -> record(i).bytesNeededAt(task))) {
      needed.remove(i);
      long savedByOthers = pairs.isEmpty() ? 0 : savedBytes(pairs, needed, task);
      long movableByOthers = movableBytes;
      long pinnedByOthers = pinnedBytes;
      if (!isPinned(i)) {
        movableByOthers -= record(i).bytesNeededAt(task);
      } else if (!isTimeOver()) {
        pins.remove(i);
        pinnedByOthers = unionBytes(pins, task);
      }
      boolean isRemovable = !isPinned(i) || !pins.contains(i);
      if (isRemovable && movableByOthers + pinnedByOthers - savedByOthers > capacityBytes) {
        movableBytes = movableByOthers;
        pinnedBytes = pinnedByOthers;
        savedBytes = savedByOthers;
      } else {
        needed.add(i);
        if (isPinned(i)) {
          pins.add(i);
        }
      }
    }
    long bytes = movableBytes + pinnedBytes - savedBytes;
    return conflict(needed, bytes, new Reason.LiveBytes(task, fits(needed, bytes)));
  }

  private List<InPlace> pairsAt(long task) {
    return usablePairs.stream().filter(pair -> record(pair.record()).firstTask() == task).toList();
  }

  /** {@return the most bytes that pairs of some records save at their common task} */
  private long savedBytes(List<InPlace> pairs, Set<Integer> records, long task) {
    List<InPlace> ofRecords =
        pairs.stream()
            .filter(pair -> records.contains(pair.record()) && records.contains(pair.source()))
            .toList();
    return InPlaceSavings.byTask(problem, ofRecords).getOrDefault(task, 0L);
  }

  /**
   * {@return true if a plan shows that records fit into an arena}
   *
   * <p>It tries two plans: one record after the other, and a fast strategy.
   */
  private boolean fits(Collection<Integer> records, long bytes) {
    PlanProblem subset = subset(List.copyOf(records));
    if (!subset.hasPins() && MemoryStrategy.NAIVE.planOffsets(subset).totalBytes() <= bytes) {
      return true;
    }
    if (records.size() > MAX_PLANNED_RECORDS) {
      return false;
    }
    try {
      return MemoryStrategy.TFLM_GREEDY.planOffsets(subset, this::isTimeOver).totalBytes() <= bytes;
    } catch (CancellationException e) {
      return false;
    }
  }

  /** {@return indices by ascending bytes, then descending: the order of removal} */
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
      LiveRange.of(record(i)).stream()
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

  /**
   * {@return a conflict of the record with the highest minimum end, if that exceeds the capacity}
   */
  private Optional<CapacityConflict> recordEnd() {
    return all.stream()
        .max(Comparator.comparingLong(this::minEnd).thenComparing(Comparator.reverseOrder()))
        .filter(i -> minEnd(i) > capacityBytes)
        .map(i -> conflict(List.of(i), minEnd(i), new Reason.RecordEnd()));
  }

  /** {@return the end of a record at its pinned offset, or at offset 0} */
  private long minEnd(int index) {
    return record(index).pinnedOffset().orElse(0) + record(index).bytes();
  }

  /** {@return a conflict by padding of records of {@code among}} */
  private Optional<CapacityConflict> padding(List<Integer> among) {
    return AlignedLoad.heaviest(problem, among)
        .filter(load -> load.bytes() > capacityBytes)
        .map(load -> load.toMinimalConflict(problem, capacityBytes))
        .map(this::withExactness);
  }

  /** {@return a conflict by padding, marked as exact if a plan shows that} */
  private CapacityConflict withExactness(CapacityConflict padded) {
    return padded.reason() instanceof Reason.Padding(long task, long alignment, boolean isExact)
            && !isExact
        ? conflict(
            padded.records(),
            padded.leastBytes(),
            new Reason.Padding(task, alignment, fits(padded.records(), padded.leastBytes())))
        : padded;
  }

  /** {@return a conflict proved by searches, reduced as in delta debugging} */
  private Optional<CapacityConflict> search() {
    long leastBytes = provedBytes(all);
    if (leastBytes <= capacityBytes) {
      return Optional.empty();
    }
    List<Integer> records = all;
    int size = (records.size() + 1) / 2;
    while (true) {
      int from = 0;
      while (from < records.size() && !isTimeOver()) {
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
      if (size == 1 || isTimeOver()) {
        List<Integer> reduced = records;
        long bytes = leastBytes;
        return padding(reduced).or(() -> Optional.of(searchedConflict(reduced, bytes)));
      }
      size = (size + 1) / 2;
    }
  }

  /** {@return a lower bound for some records, by a search that decides whether they fit} */
  private long provedBytes(List<Integer> some) {
    SearchOptions shareOptions =
        options
            .withCapacityDecision(capacityBytes)
            .withTimeLimit(remaining().dividedBy(TIME_DIVISOR));
    return OffsetsSearch.of(subset(some), shareOptions).run().lowerBoundBytes();
  }

  private PlanProblem subset(List<Integer> records) {
    return problem.subset(records);
  }

  /** {@return a conflict proved by searches, with a better bound if the remaining time permits} */
  private CapacityConflict searchedConflict(List<Integer> records, long provedBytes) {
    SearchOptions remainingOptions =
        SearchOptions.defaults()
            .withTimeLimit(remaining())
            .withThreads(options.threads())
            .withProgress(options.progress());
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(subset(records), remainingOptions).run();
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
