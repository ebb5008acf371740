package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.time.TaskLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * The searches of the parts of a problem that no record crosses, as many at a time as memory
 * allows.
 */
public final class PartSearches {

  /*
   * An arena is as large as its highest part. So the parts that end highest are searched first, and
   * a part that is low enough makes room for the next one.
   */

  /** Beyond that many movable records in one part, they are not searched through. */
  private static final int SEARCHED_RECORD_LIMIT = 4000;

  /** The same of the entries of its lists, which are half as many again as pairs of records. */
  private static final long SEARCHED_ENTRY_LIMIT = 25_000_000;

  /** How many entries the lists of all parts may have that are searched at a time. */
  private static final long ENTRIES_AT_A_TIME = 32_000_000;

  /** As many entries take about as much memory as the searches of the smallest part. */
  private static final long ENTRIES_OF_A_SEARCH = 2_000;

  private final PlanProblem problem;
  private final OffsetsAssignment plan;
  private final BooleanSupplier stop;
  private final long entriesAtATime;
  private final Queue<Waiting> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong((Waiting part) -> -part.endBytes)
              .thenComparingInt(part -> part.number));
  private final List<Searched> searched = new ArrayList<>();

  /** The offsets of all records, those of parts that are searched as far as they were copied. */
  private final long[] offsets;

  private long lowerBytes;
  private long nodesOfDone;

  /** A part whose search has not begun. */
  private static final class Waiting {

    private final int number;
    private final int[] records;
    private final long endBytes;

    Waiting(int number, int[] records, long endBytes) {
      this.number = number;
      this.records = records;
      this.endBytes = endBytes;
    }
  }

  private record Searched(PartSearch search, long entries) {}

  /**
   * The searches of a problem's parts.
   *
   * @param plan a plan to start from
   * @param stop whether to give up
   */
  public PartSearches(PlanProblem problem, OffsetsAssignment plan, BooleanSupplier stop) {
    this(problem, plan, stop, ENTRIES_AT_A_TIME);
  }

  /** The searches of a problem's parts, with at most so many entries in their lists at a time. */
  public PartSearches(
      PlanProblem problem, OffsetsAssignment plan, BooleanSupplier stop, long entriesAtATime) {
    this.entriesAtATime = entriesAtATime;
    this.problem = problem;
    this.plan = plan;
    this.stop = stop;
    offsets = plan.offsets();
    for (int i = 0; i < offsets.length; i++) {
      if (!isPinned(i) && !Partition.needsBytes(problem.records().get(i))) {
        offsets[i] = 0; // of no part; conflicts with no other record
      }
    }
    for (int[] records : Partition.split(problem)) {
      long end = 0;
      for (int i : records) {
        end = Math.max(end, offsets[i] + problem.records().get(i).bytes());
      }
      waiting.add(new Waiting(waiting.size(), records, end));
    }
  }

  private boolean isPinned(int record) {
    return problem.records().get(record).pinnedOffset().isPresent();
  }

  /**
   * Ends the searches of parts that are low enough, and begins others that are not.
   *
   * @param goalBytes a part of this size is low enough
   * @throws java.util.concurrent.CancellationException if it is stopped
   */
  public void beginAbove(long goalBytes) {
    for (Searched part : searched) {
      if (part.search.upperBytes() <= goalBytes) {
        nodesOfDone += part.search.nodes();
      }
    }
    searched.removeIf(part -> part.search.upperBytes() <= goalBytes);
    long entries = searched.stream().mapToLong(Searched::entries).sum();
    for (Waiting next = waiting.peek();
        next != null && next.endBytes > goalBytes;
        next = waiting.peek()) {
      Optional<Searched> begun = begin(next.records, entriesAtATime - entries);
      if (begun.isEmpty()) {
        return;
      }
      waiting.remove();
      searched.add(begun.get());
      entries += begun.get().entries;
      lowerBytes = Math.max(lowerBytes, begun.get().search.lowerBytes());
    }
  }

  /** {@return a search, unless its lists would have too many entries beside those of others} */
  private Optional<Searched> begin(int[] records, long entriesLeft) {
    int[] movable = Arrays.stream(records).filter(i -> !isPinned(i)).toArray();
    int[] pinned = Arrays.stream(records).filter(this::isPinned).toArray();
    long entries = ENTRIES_OF_A_SEARCH + Partition.entryBound(problem, movable);
    boolean isLarge = movable.length > SEARCHED_RECORD_LIMIT || entries > SEARCHED_ENTRY_LIMIT;
    if (!isLarge && entries > entriesLeft && !searched.isEmpty()) {
      return Optional.empty();
    }
    PlanProblem ofPart =
        new PlanProblem(
            Arrays.stream(records).mapToObj(problem.records()::get).toList(),
            problem.alignment(),
            Optional.empty());
    long least = TaskLoad.leastArenaBytes(ofPart);
    return Optional.of(
        isLarge
            ? new Searched(new LargePartSearch(records, ofPart, least, plan), 0)
            : new Searched(
                new ExactPartSearch(problem, movable, pinned, least, plan, stop), entries));
  }

  /** {@return the searches that were begun and have not ended} */
  public List<PartSearch> searches() {
    return searched.stream().map(Searched::search).toList();
  }

  /** {@return bytes that no arena can do without, as far as the searches know} */
  public long lowerBytes() {
    return lowerBytes;
  }

  /** {@return the number of placements tried} */
  public long nodes() {
    return nodesOfDone + searched.stream().mapToLong(part -> part.search.nodes()).sum();
  }

  /** Takes over from the searches and {@return the plan that they have come to} */
  public OffsetsAssignment assemble() {
    for (Searched part : searched) {
      part.search.copyOffsets(offsets);
      lowerBytes = Math.max(lowerBytes, part.search.lowerBytes());
    }
    return OffsetsAssignment.inSmallestArena(problem, offsets);
  }
}
