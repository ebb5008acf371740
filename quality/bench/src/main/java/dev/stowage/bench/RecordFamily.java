package dev.stowage.bench;

import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Families of generated records whose lifetimes are difficult in different ways. */
enum RecordFamily {
  /**
   * A long network with one record for each task. Of 10,000 lifetimes, 7,000 have up to 3 tasks, as
   * between neighbouring layers, 2,500 up to 33, as within a block, 495 up to 1,030, and 5 up to a
   * quarter of the network.
   */
  NETWORK,

  /** Each record starts one task after the previous one and lives for a tenth of all tasks. */
  STAIRCASE,

  /** Each record lives within the lifetime of the previous one. */
  NESTED,

  /** All records are live at the same tasks. */
  ALL_AT_ONCE,

  /** Records have random lifetimes. */
  RANDOM,

  /**
   * Records start at random tasks. Their lifetimes are exponentially distributed around 200 tasks.
   */
  SHORT_LIVED;

  /** The sizes of records. */
  enum Sizes {
    /** Log-uniform from 256 bytes to 16 MiB, every second one rounded to a multiple of 256. */
    SKEWED,

    /** Eight powers of two, from 256 bytes on. */
    FEW,

    /** About a megabyte, all different. */
    DISTINCT
  }

  /** {@return records, equal for equal arguments} */
  List<TensorUsageRecord> records(int count, Sizes sizes) {
    Random random = new Random(1);
    List<TensorUsageRecord> records = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      records.add(record(i, count, sizes, random));
    }
    return records;
  }

  private TensorUsageRecord record(int i, int count, Sizes sizes, Random random) {
    return switch (this) {
      case NETWORK -> {
        long lastTask = Math.min(count - 1L, (long) i + tasks(random, count));
        yield TensorUsageRecord.of(bytes(sizes, i, count, random), i, lastTask);
      }
      case STAIRCASE ->
          TensorUsageRecord.of(bytes(sizes, i, count, random), i, (long) i + count / 10);
      case NESTED -> TensorUsageRecord.of(bytes(sizes, i, count, random), i, 2L * count - i);
      case ALL_AT_ONCE -> TensorUsageRecord.of(bytes(sizes, i, count, random), 0, 9);
      case RANDOM -> {
        int a = random.nextInt(count);
        int b = random.nextInt(count);
        long bytes = bytes(sizes, i, count, random);
        yield TensorUsageRecord.of(bytes, Math.min(a, b), Math.max(a, b));
      }
      case SHORT_LIVED -> {
        int firstTask = random.nextInt(count);
        long lastTask = firstTask + (long) (-200 * Math.log(1 - random.nextDouble()));
        yield TensorUsageRecord.of(bytes(sizes, i, count, random), firstTask, lastTask);
      }
    };
  }

  private static int tasks(Random random, int count) {
    int kind = random.nextInt(10_000);
    if (kind < 7_000) {
      return 1 + random.nextInt(3);
    }
    if (kind < 9_500) {
      return 4 + random.nextInt(30);
    }
    return kind < 9_995 ? 30 + random.nextInt(1_000) : 1_000 + random.nextInt(1 + count / 4);
  }

  private static long bytes(Sizes sizes, int i, int count, Random random) {
    return switch (sizes) {
      case SKEWED -> {
        long bytes = (long) Math.exp(Math.log(256) + random.nextDouble() * Math.log(65_536));
        yield random.nextBoolean() ? bytes & ~255 : bytes;
      }
      case FEW -> 256L << random.nextInt(8);
      case DISTINCT -> 1_000_000L + i * 1_000_003L % count;
    };
  }
}
