package dev.stowage.plan.cases;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Problems made by cutting a full arena into records.
 *
 * <pre>
 *   bytes |-------+---|
 *         |   +---+   |     each cut splits one box into two, at a task or at a byte;
 *         |   |   |   |     the boxes are then shuffled and lose their offsets
 *         +---+---+---+ tasks
 * </pre>
 *
 * <p>The optimum is known, and few plans reach it, because they must use all bytes at all tasks.
 */
public final class CutProblems {

  static final int TASKS = 200;

  /** The size of the arena, whose bytes are all live at every task. */
  public static final long BYTES = 16 * 200;

  private CutProblems() {}

  private record Box(int firstTask, int endTask, int start, int end) {}

  /** {@return a problem of {@code count} records whose smallest arena has {@link #BYTES} bytes} */
  public static PlanProblem of(Random random, int count) {
    List<Box> boxes = new ArrayList<>(List.of(new Box(0, TASKS, 0, 200)));
    for (int tries = 100 * count; boxes.size() < count && tries > 0; tries--) {
      int index = random.nextInt(boxes.size());
      Box box = boxes.get(index);
      if (random.nextBoolean() && box.endTask - box.firstTask > 3) {
        int cut = box.firstTask + 1 + random.nextInt(box.endTask - box.firstTask - 1);
        boxes.set(index, new Box(box.firstTask, cut, box.start, box.end));
        boxes.add(new Box(cut, box.endTask, box.start, box.end));
      } else if (box.end - box.start > 3) {
        int cut = box.start + 1 + random.nextInt(box.end - box.start - 1);
        boxes.set(index, new Box(box.firstTask, box.endTask, box.start, cut));
        boxes.add(new Box(box.firstTask, box.endTask, cut, box.end));
      }
    }
    Collections.shuffle(boxes, random);
    return PlanProblem.of(
        boxes.stream()
            .map(box ->
                TensorUsageRecord.of(16L * (box.end - box.start), box.firstTask, box.endTask - 1))
            .toList());
  }

  /**
   * {@return an intractable problem: no plan reaches the bound, and there are too many plans to try
   * all}
   *
   * <p>All records are live at the same task. Their alignments are primes, so plans need padding
   * between almost all records, but the load does not include it.
   */
  public static PlanProblem intractable() {
    long[] primes = {101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167};
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 2 * primes.length; i++) {
      long bytes = 1000 + 37L * i * i % 500;
      records.add(TensorUsageRecord.of(bytes, i / 4, 12).withAlignment(primes[i % primes.length]));
    }
    return PlanProblem.of(records);
  }
}
