package dev.stowage.fleet;

import dev.stowage.fleet.job.ResultLine;
import dev.stowage.fleet.job.SweepTask;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The results in a folder, counted. */
final class SweepSummary {

  private static final int SHOWN_FAILURES = 10;

  private final SortedMap<String, String> failures = new TreeMap<>();
  private int fileCount;
  private int failedCount;

  private SweepSummary() {}

  /** Reads the results, and deletes unfinished files of lost task managers. */
  static SweepSummary of(Path folder) throws IOException {
    SweepSummary summary = new SweepSummary();
    List<Path> files;
    try (Stream<Path> list = Files.list(folder)) {
      files = list.sorted().toList();
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.startsWith(SweepTask.RESULTS)) {
        summary.add(file);
      } else if (name.startsWith("." + SweepTask.RESULTS)) {
        Files.delete(file);
      }
    }
    return summary;
  }

  private void add(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      for (String line : (Iterable<String>) lines::iterator) {
        fileCount++;
        ResultLine.parse(line)
            .ifPresent(it -> it.error().ifPresent(error -> addFailure(it.input(), error)));
      }
    }
  }

  private void addFailure(String input, String error) {
    failedCount++;
    failures.put(input, error);
    if (failures.size() > SHOWN_FAILURES) {
      failures.remove(failures.lastKey());
    }
  }

  /** {@return the files with a line} */
  int fileCount() {
    return fileCount;
  }

  /** Prints the numbers of files, and the first failures. */
  void print(int allFiles, PrintWriter out) {
    int done = fileCount - failedCount;
    String files = allFiles == 1 ? "file" : "files";
    out.printf(
        Locale.ROOT, "%,d of %,d %s done, %,d failed.%n", done, allFiles, files, failedCount);
    if (failures.isEmpty()) {
      return;
    }
    out.println();
    out.println("FAILED" + (failedCount > failures.size() ? ", the first files" : ""));
    failures.forEach(
        (input, error) -> out.println(("  " + input + ": " + error).replaceAll("\\p{Cc}", "?")));
  }
}
