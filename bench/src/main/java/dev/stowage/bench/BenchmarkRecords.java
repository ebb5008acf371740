package dev.stowage.bench;

import dev.stowage.core.plan.TensorUsageRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The records that are planned: a generated network's, or those of a file. */
final class BenchmarkRecords {

  private BenchmarkRecords() {}

  /**
   * {@return records}
   *
   * @param source {@code network-N} for N generated records, or a problem in CSV whose columns are
   *     id, lower, upper and size
   */
  static List<TensorUsageRecord> of(String source) throws IOException {
    return source.startsWith("network-")
        ? network(Integer.parseInt(source.substring("network-".length())))
        : file(Path.of(source));
  }

  /**
   * {@return the records of a long network: one a task}
   *
   * <p>Of 10,000 lifetimes 7,000 are up to 3 tasks long, as between neighbouring layers, 2,500 up
   * to 33, as within a block, 495 up to 1,030, and 5 up to a quarter of the network. Sizes are
   * log-uniform from 256 bytes to 16 MiB, every second one rounded to 256.
   */
  private static List<TensorUsageRecord> network(int count) {
    Random random = new Random(1);
    List<TensorUsageRecord> records = new ArrayList<>(count);
    for (int task = 0; task < count; task++) {
      long lastTask = Math.min(count - 1L, (long) task + lifetime(random, count));
      long bytes = (long) Math.exp(Math.log(256) + random.nextDouble() * Math.log(65_536));
      records.add(
          TensorUsageRecord.of(random.nextBoolean() ? bytes & ~255 : bytes, task, lastTask));
    }
    return records;
  }

  private static int lifetime(Random random, int count) {
    int kind = random.nextInt(10_000);
    if (kind < 7_000) {
      return 1 + random.nextInt(3);
    }
    if (kind < 9_500) {
      return 4 + random.nextInt(30);
    }
    return kind < 9_995 ? 30 + random.nextInt(1_000) : 1_000 + random.nextInt(1 + count / 4);
  }

  private static List<TensorUsageRecord> file(Path path) throws IOException {
    List<TensorUsageRecord> records = new ArrayList<>();
    List<String> lines = Files.readAllLines(path);
    if (!lines.getFirst().startsWith("id,lower,upper,size")) {
      throw new IOException(path + ": expected the columns id,lower,upper,size in front");
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
