package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.RunFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * A folder with an HTML page for each replay.
 *
 * <p>A page has the name of its trace and {@code .html}. If two replays have the same name, the
 * second page has {@code -2} behind the name of the trace, and so on. Pages of earlier commands are
 * replaced, traces are not.
 */
public final class ReplayPages {

  private final String folder;
  private final Function<ReplayReport, RunFacts> facts;
  private final Set<String> taken = new HashSet<>();

  /**
   * Creates a folder that is not written yet.
   *
   * @param folder the folder as on the command line
   * @param facts returns the facts of the run on a report
   */
  public ReplayPages(String folder, Function<ReplayReport, RunFacts> facts) {
    this.folder = folder;
    this.facts = facts;
  }

  /**
   * Reserves the names of traces, so that pages do not replace them.
   *
   * @param traces the traces as on the command line; those that are no paths are ignored
   */
  public void keep(List<String> traces) {
    for (String trace : traces) {
      try {
        taken.add(key(Path.of(trace)));
      } catch (InvalidPathException e) {
        // Reading the trace reports the error.
      }
    }
  }

  /** {@return the file's absolute path; file systems may not distinguish upper and lower case} */
  private static String key(Path file) {
    return file.toAbsolutePath().normalize().toString().toLowerCase(Locale.ROOT);
  }

  /** {@return the folder} */
  public String folder() {
    return folder;
  }

  /**
   * Creates the folder if it does not exist.
   *
   * @throws IOException if this is not possible
   */
  public void create() throws IOException {
    Files.createDirectories(Path.of(folder));
  }

  /**
   * {@return the file for the page of a replay}
   *
   * @param report the replay
   */
  public ReplayFile next(ReplayReport report) {
    String name = String.valueOf(Path.of(report.input()).getFileName());
    Path file = Path.of(folder, name + ".html");
    for (int number = 2; !taken.add(key(file)); number++) {
      file = Path.of(folder, String.format(Locale.ROOT, "%s-%d.html", name, number));
    }
    return ReplayPageFile.of(file.toString(), facts).orElseThrow();
  }
}
