package dev.stowage.fleet;

import dev.stowage.fleet.result.AvroFile;
import dev.stowage.fleet.result.PageLines;
import dev.stowage.fleet.result.SummaryTable;
import dev.stowage.fleet.result.SweepFacts;
import dev.stowage.fleet.result.SweepSummary;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The results of a sweep: the files in the folder of the user, and the summary. */
final class SweepReport implements AutoCloseable {

  private static final int PRINTED_ROWS = 30;
  private static final int PAGE_ROWS = 10_000;

  private static final String PAGE = "report.html";

  private final ResultsFolder folder;
  private final Path results;
  private final SweepFacts facts;
  private final SweepSummary summary;
  private final long cachedCount;
  private final List<Path> files;

  private SweepReport(
      ResultsFolder folder,
      Path results,
      SweepFacts facts,
      SweepSummary summary,
      long cachedCount,
      List<Path> files) {
    this.folder = folder;
    this.results = results;
    this.facts = facts;
    this.summary = summary;
    this.cachedCount = cachedCount;
    this.files = files;
  }

  /**
   * Writes the files and {@return the report}
   *
   * @param folder the folder of the user
   * @param results the lines of all results in the folder of intermediate files
   * @param facts the sweep
   * @param cachedCount the number of results of earlier sweeps
   * @param client draws the page
   */
  static SweepReport of(
      ResultsFolder folder, Path results, SweepFacts facts, long cachedCount, ClientWorker client)
      throws IOException, InterruptedException {
    SweepSummary summary = SweepSummary.of(results, PRINTED_ROWS);
    if (folder.named().isEmpty()) {
      return new SweepReport(folder, results, facts, summary, cachedCount, List.of());
    }
    Path work = folder.work();
    AvroFile.write(results, work.resolve("results.avro"));
    Files.writeString(work.resolve(SweepFacts.FILE), facts.toJson());
    List<String> names = new ArrayList<>(List.of("results.jsonl", "results.avro", SweepFacts.FILE));
    SweepSummary shown = SweepSummary.of(results, PAGE_ROWS);
    Path content = Files.write(work.resolve("page.jsonl"), PageLines.of(shown, facts, cachedCount));
    if (client.drawPage(content, work.resolve(PAGE))) {
      names.add(PAGE);
    }
    List<Path> files = new ArrayList<>();
    for (String name : names) {
      Path file = folder.named().get().resolve(name);
      Files.move(
          work.resolve(name),
          file,
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      files.add(file);
    }
    return new SweepReport(folder, files.get(0), facts, summary, cachedCount, files);
  }

  /** {@return the files that were written} */
  List<Path> files() {
    return List.copyOf(files);
  }

  /** {@return the exit code of the items} */
  int exitCode() {
    return summary.exitCode();
  }

  void printLines(PrintWriter out) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(results)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.print(line);
        out.print('\n');
      }
    }
  }

  void printTable(PrintWriter out) {
    new SummaryTable(summary, facts.command()).print(cachedCount, out);
  }

  /** Deletes the intermediate files. */
  @Override
  public void close() throws IOException {
    folder.close();
  }
}
