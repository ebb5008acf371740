package dev.stowage.bench;

import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The records to plan: those of a generated network or of a file. */
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
    if (!generated.matches()) {
      return file(Path.of(source));
    }
    RecordFamily family =
        generated.group(1).equals("network") ? RecordFamily.NETWORK : RecordFamily.SHORT_LIVED;
    return family.records(Integer.parseInt(generated.group(2)), RecordFamily.Sizes.SKEWED);
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
