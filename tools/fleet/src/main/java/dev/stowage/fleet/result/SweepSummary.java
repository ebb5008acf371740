package dev.stowage.fleet.result;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The counts of a sweep, and its largest and failed items. */
public final class SweepSummary {

  /** The order of the items in tables: the largest first, then by key. */
  private static final Comparator<ResultRow> LARGEST =
      Comparator.comparingLong((ResultRow row) -> row.figures().bytes().orElse(-1))
          .reversed()
          .thenComparing(row -> row.item().key());

  private final int mostRows;
  private final PriorityQueue<ResultRow> largest = new PriorityQueue<>(LARGEST.reversed());
  private final List<ResultRow> failed = new ArrayList<>();
  private long doneCount;
  private long failedCount;
  private long cutCount;
  private long unfitCount;
  private double seconds;
  private int exitCode;

  private SweepSummary(int mostRows) {
    this.mostRows = mostRows;
  }

  /**
   * {@return the summary of a file with results}
   *
   * @param results the file
   * @param mostRows the number of items of each table
   * @throws IOException if the file cannot be read
   */
  public static SweepSummary of(Path results, int mostRows) throws IOException {
    SweepSummary summary = new SweepSummary(mostRows);
    try (BufferedReader lines = Files.newBufferedReader(results)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        summary.add(ResultRow.parse(line));
      }
    }
    return summary;
  }

  private void add(ResultRow row) {
    exitCode = graver(exitCode, exitCode(row));
    if (row.isFailed()) {
      failedCount++;
      if (failed.size() < mostRows) {
        failed.add(row);
      }
      return;
    }
    doneCount++;
    seconds += row.seconds();
    cutCount += row.isCut() ? 1 : 0;
    unfitCount += row.exitCode() == 0 ? 0 : 1;
    largest.add(row);
    if (largest.size() > mostRows) {
      largest.remove();
    }
  }

  /** {@return the exit code of a sweep for an item; wrong options of a manifest are an input} */
  private static int exitCode(ResultRow row) {
    return switch (row.exitCode()) {
      case 2, 3 -> 3;
      case 0, 4 -> row.exitCode();
      default -> 1;
    };
  }

  /** {@return the graver of two codes, as for commands with several files: 1, 3, 4, 0} */
  private static int graver(int a, int b) {
    return a == 0 || b == 0 ? a + b : Math.min(a, b);
  }

  /** {@return the exit code of the sweep} */
  public int exitCode() {
    return exitCode;
  }

  /** {@return the number of items with results} */
  public long doneCount() {
    return doneCount;
  }

  /** {@return the number of items without results} */
  public long failedCount() {
    return failedCount;
  }

  /** {@return the number of results that a limit of time may have changed} */
  public long cutCount() {
    return cutCount;
  }

  /** {@return the number of results with exit code 4} */
  public long unfitCount() {
    return unfitCount;
  }

  /** {@return the sum of the times of the items with results} */
  public double seconds() {
    return seconds;
  }

  /** {@return the items with the most bytes, the largest first} */
  public List<ResultRow> largest() {
    return largest.stream().sorted(LARGEST).toList();
  }

  /** {@return the first failed items, by key} */
  public List<ResultRow> failed() {
    return List.copyOf(failed);
  }
}
