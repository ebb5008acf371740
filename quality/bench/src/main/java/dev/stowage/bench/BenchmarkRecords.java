package dev.stowage.bench;

import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The records to plan, of a generated network or of a file. */
final class BenchmarkRecords {

  private static final Pattern GENERATED = Pattern.compile("(network|short-lived)-([0-9]+)");

  private BenchmarkRecords() {}

  /**
   * {@return records}
   *
   * @param source {@code network-N} or {@code short-lived-N} for N generated records, or a problem
   *     in CSV with the columns id, lower, upper and size
   */
  static List<TensorUsageRecord> of(String source) throws IOException {
    Matcher generated = GENERATED.matcher(source);
    return generated.matches()
        ? generated(generated.group(1).equals("network"), Integer.parseInt(generated.group(2)))
        : file(Path.of(source));
  }

  /** {@return records, equal for equal arguments} */
  private static List<TensorUsageRecord> generated(boolean isNetwork, int count) {
    Random random = new Random(1);
    List<TensorUsageRecord> records = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (isNetwork) {
        long lastTask = Math.min(count - 1L, (long) i + tasks(random, count));
        records.add(TensorUsageRecord.of(bytes(random), i, lastTask));
      } else {
        // Lifetimes are exponentially distributed around 200 tasks.
        int firstTask = random.nextInt(count);
        long lastTask = firstTask + (long) (-200 * Math.log(1 - random.nextDouble()));
        records.add(TensorUsageRecord.of(bytes(random), firstTask, lastTask));
      }
    }
    return records;
  }

  /**
   * {@return the tasks of a lifetime in a network} Of 10,000 lifetimes, 7,000 have up to 3 tasks,
   * as between neighbouring layers, 2,500 up to 33, as within a block, 495 up to 1,030, and 5 up to
   * a quarter of the network.
   */
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

  /** {@return a size from 256 bytes to 16 MiB, log-uniform, every second one a multiple of 256} */
  private static long bytes(Random random) {
    long bytes = (long) Math.exp(Math.log(256) + random.nextDouble() * Math.log(65_536));
    return random.nextBoolean() ? bytes & ~255 : bytes;
  }

  private static List<TensorUsageRecord> file(Path path) throws IOException {
    List<TensorUsageRecord> records = new ArrayList<>();
    List<String> lines = Files.readAllLines(path);
    if (!lines.getFirst().startsWith("id,lower,upper,size")) {
      throw new IOException(path + ": expected the columns id,lower,upper,size first");
    }
    for (String line : lines.subList(1, lines.size())) {
      if (!line.isBlank()) {
        String[] fields = line.split(",", -1);
        records.add(
            TensorUsageRecord.of(
                Long.parseLong(fields[3]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]) - 1));
      }
    }
    return records;
  }
}
