package dev.stowage.plan.cases;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** Random usage records. The seed also determines their number, lifetimes and range of sizes. */
public final class RandomRecords {

  private final Random random;
  private final int count;
  private final int tasks;
  private final int longest;
  private final long largest;
  private final boolean fewSizes;

  public RandomRecords(long seed) {
    random = new Random(seed);
    count = random.nextInt(random.nextBoolean() ? 8 : 60);
    tasks = 1 + random.nextInt(random.nextBoolean() ? 6 : 60);
    longest = 1 + random.nextInt(tasks);
    largest = random.nextInt(4) == 0 ? 1L << 40 : 1 + random.nextInt(100);
    fewSizes = random.nextBoolean();
  }

  /** {@return the seed given by -Dtests.seed=N, or {@code count} seeds if there is none} */
  public static LongStream seeds(int count) {
    return Seeds.of(count);
  }

  /** {@return the random numbers after those of the records} */
  public Random random() {
    return random;
  }

  /** {@return records in random order} */
  public List<TensorUsageRecord> unsorted() {
    long[] sizes = random.longs(3, 0, largest + 1).toArray();
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long bytes = fewSizes ? sizes[random.nextInt(3)] : random.nextLong(largest + 1);
      int first = random.nextInt(tasks);
      records.add(
          TensorUsageRecord.of(bytes, first, Math.min(tasks - 1, first + random.nextInt(longest))));
    }
    return records;
  }

  /** {@return records by first task} */
  public List<TensorUsageRecord> sorted() {
    List<TensorUsageRecord> records = unsorted();
    records.sort(Comparator.comparingLong(TensorUsageRecord::firstTask));
    return records;
  }
}
