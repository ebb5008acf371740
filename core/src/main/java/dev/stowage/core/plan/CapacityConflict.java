package dev.stowage.core.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * A few records that do not fit together into a capacity: without any one of them, the others
 * would, as far as that could be found out.
 *
 * @param records their indices, ascending
 * @param leastBytes an arena of them needs at least so many bytes, proved
 * @param task a task at which all of them are live and are too many bytes together; empty where it
 *     takes a search to see that they do not fit, or a record is pinned too high
 */
public record CapacityConflict(List<Integer> records, long leastBytes, OptionalLong task) {

  /** One search may take this part of the time that is left. */
  private static final int SHARES = 4;

  /** A conflict. */
  public CapacityConflict {
    records = List.copyOf(records);
  }

  /**
   * {@return records that do not fit together, if that can be proved within the limits}
   *
   * <p>All records, or those that are live at the heaviest task if they alone are too many bytes,
   * are left out by halves, quarters and so on, down to one by one, as long as the others still
   * cannot fit. That is one search for each try; where the live bytes tell, each is O(n log n).
   *
   * @param problem the records
   * @param capacityBytes what they should fit into
   * @param options the time limit, and the threads
   */
  public static Optional<CapacityConflict> find(
      PlanProblem problem, long capacityBytes, SearchOptions options) {
    Finder finder = new Finder(problem, capacityBytes, options);
    OptionalLong task = finder.restrictToHeaviestTask();
    if (!finder.isImpossible(finder.records)) {
      return Optional.empty();
    }
    finder.leaveOut();
    return Optional.of(new CapacityConflict(finder.records, finder.leastBytes, task));
  }

  /** What is left of the records. */
  private static final class Finder {

    private final PlanProblem problem;
    private final long capacityBytes;
    private final SearchOptions options;
    private final long startNanos = System.nanoTime();
    private List<Integer> records;

    /** What the records that are left need, if they are known to be too many. */
    private long leastBytes;

    Finder(PlanProblem problem, long capacityBytes, SearchOptions options) {
      this.problem = problem;
      this.capacityBytes = capacityBytes;
      this.options = options;
      records = IntStream.range(0, problem.records().size()).boxed().toList();
    }

    /** Takes only what is live at the heaviest task, if that is too much, and {@return the task} */
    OptionalLong restrictToHeaviestTask() {
      Optional<LowerBounds.Load> load =
          LowerBounds.heaviestTask(problem).filter(heaviest -> heaviest.bytes() > capacityBytes);
      if (load.isEmpty()) {
        return OptionalLong.empty();
      }
      long task = load.get().task();
      records = records.stream().filter(i -> isLive(problem.records().get(i), task)).toList();
      return OptionalLong.of(task);
    }

    private static boolean isLive(TensorUsageRecord record, long task) {
      return record.liveRanges().stream()
          .anyMatch(range -> range.firstTask() <= task && task <= range.lastTask());
    }

    /** Leaves out what is not needed: halves, quarters and so on, down to one by one. */
    void leaveOut() {
      int size = (records.size() + 1) / 2;
      while (true) {
        int from = 0;
        while (from < records.size()) {
          if (remainingNanos() <= 0) {
            return;
          }
          List<Integer> others = new ArrayList<>(records);
          others.subList(from, Math.min(from + size, records.size())).clear();
          if (isImpossible(others)) {
            records = others;
          } else {
            from += size;
          }
        }
        if (size == 1) {
          return;
        }
        size = (size + 1) / 2;
      }
    }

    private long remainingNanos() {
      return OffsetsSearch.nanos(options.timeLimit()) - (System.nanoTime() - startNanos);
    }

    /** {@return whether some records are proved not to fit} */
    boolean isImpossible(List<Integer> some) {
      PlanProblem ofSome =
          new PlanProblem(
              some.stream().map(problem.records()::get).toList(),
              problem.alignment(),
              Optional.empty());
      Duration left = Duration.ofNanos(Math.max(0, remainingNanos() / SHARES));
      SearchResult result =
          OffsetsSearch.of(ofSome, options.withCapacity(capacityBytes).withTimeLimit(left)).run();
      if (result.lowerBoundBytes() <= capacityBytes) {
        return false;
      }
      leastBytes = result.lowerBoundBytes();
      return true;
    }
  }
}
