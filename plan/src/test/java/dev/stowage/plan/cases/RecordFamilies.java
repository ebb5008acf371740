package dev.stowage.plan.cases;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Families of problems with different lifetimes and sizes, for any number of records. */
public final class RecordFamilies {

  /** The lifetimes of the records. */
  public enum Lifetimes {
    /** One record starts at each task; most are live for a few tasks, some for very many. */
    NETWORK,
    /** One record starts at each task, and is live for a tenth of all tasks. */
    STAIRCASE,
    /** Each record is live within the lifetime of the previous one. */
    NESTED,
    /** All records are live at the same tasks. */
    ALL_AT_ONCE,
    /** Both ends of each lifetime are random. */
    RANDOM
  }

  /** The sizes of the records. */
  public enum Sizes {
    /** Log-uniform from 256 bytes to 16 MiB. */
    SKEWED,
    /** Eight powers of two. */
    FEW,
    /** All different, but nearly equal. */
    DISTINCT
  }

  private RecordFamilies() {}

  public static PlanProblem problem(Lifetimes lifetimes, Sizes sizes, int count, long seed) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long bytes = bytes(sizes, i, count, random);
      records.add(record(lifetimes, bytes, i, count, random));
    }
    return PlanProblem.of(records);
  }

  private static long bytes(Sizes sizes, int i, int count, Random random) {
    return switch (sizes) {
      case SKEWED -> (long) (256 * Math.exp(random.nextDouble() * Math.log(65_536)));
      case FEW -> 256L << random.nextInt(8);
      case DISTINCT -> 1_000_000L + i * 1_000_003L % count;
    };
  }

  private static TensorUsageRecord record(
      Lifetimes lifetimes, long bytes, int i, int count, Random random) {
    return switch (lifetimes) {
      case NETWORK -> TensorUsageRecord.of(bytes, i, i + tasks(count, random));
      case STAIRCASE -> TensorUsageRecord.of(bytes, i, i + count / 10);
      case NESTED -> TensorUsageRecord.of(bytes, i, 2L * count - i);
      case ALL_AT_ONCE -> TensorUsageRecord.of(bytes, 0, 9);
      case RANDOM -> {
        int a = random.nextInt(count);
        int b = random.nextInt(count);
        yield TensorUsageRecord.of(bytes, Math.min(a, b), Math.max(a, b));
      }
    };
  }

  private static int tasks(int count, Random random) {
    int kind = random.nextInt(10_000);
    if (kind < 7_000) {
      return 1 + random.nextInt(3);
    }
    if (kind < 9_500) {
      return 4 + random.nextInt(30);
    }
    return kind < 9_995 ? 30 + random.nextInt(1_000) : 1_000 + random.nextInt(1 + count / 4);
  }
}
