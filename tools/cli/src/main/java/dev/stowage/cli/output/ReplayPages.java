package dev.stowage.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stowage.cli.picture.ReplayIndex;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * A folder with an HTML page for each replay, and an index of them.
 *
 * <p>A page has the name of its trace and {@code .html}. If two replays have the same name, the
 * second page has {@code -2} behind the name of the trace, and so on. Pages of earlier commands are
 * replaced, traces are not. The index is {@code index.html}; it does not replace a file of another
 * program.
 */
public final class ReplayPages {

  private final String folder;
  private final Function<ReplayReport, RunFacts> facts;
  private final Set<String> taken = new HashSet<>();
  private final ReplayIndex rows = new ReplayIndex();
  private boolean hasPage;

  /**
   * Creates a folder that is not written yet.
   *
   * @param facts returns the facts of the run on a report
   */
  public ReplayPages(String folder, Function<ReplayReport, RunFacts> facts) {
    this.folder = folder;
    this.facts = facts;
    taken.add(key(index()));
  }

  private Path index() {
    return Path.of(folder, "index.html");
  }

  public String indexPath() {
    return index().toString();
  }

  /** {@return true if the index has a page} */
  public boolean isBegun() {
    return hasPage;
  }

  /** Adds a page to the index. */
  public void add(ReplayReport report, String page) {
    hasPage = true;
    rows.add(report, address(String.valueOf(Path.of(page).getFileName())));
  }

  /** Adds a row to the index for a trace without a page. */
  public void addFailure(String trace, String reason) {
    rows.table().addFailure(trace, reason);
  }

  /** {@return the address of a file in the folder: all but a few characters are escaped} */
  private static String address(String name) {
    StringBuilder address = new StringBuilder("./");
    for (byte unit : name.getBytes(UTF_8)) {
      boolean isPlain = unit > 0 && (Character.isLetterOrDigit(unit) || "-._~".indexOf(unit) >= 0);
      address.append(isPlain ? String.valueOf((char) unit) : Text.of("%%%02X", unit & 0xFF));
    }
    return address.toString();
  }

  /**
   * Writes the index.
   *
   * @throws IOException if the file cannot be written, or is not an index of Stowage
   */
  public void writeIndex(RunFacts run) throws IOException {
    Path index = index();
    if (Files.isRegularFile(index) && !isOfStowage(index)) {
      throw new IOException(
          "it exists and is not a page of Stowage; move it, or use another folder");
    }
    RunFacts concluded = rows.conclusion().map(run::withConclusion).orElse(run);
    FiguresPage page = new FiguresPage("Replays", "index", "Replayed", concluded);
    page.addTable(rows.table());
    new WholeFile(index.toString()).write(page::write);
  }

  private static boolean isOfStowage(Path page) throws IOException {
    try (InputStream in = Files.newInputStream(page)) {
      return new String(in.readNBytes(2000), UTF_8)
          .contains("<meta name=\"generator\" content=\"Stowage\">");
    }
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

  public String folder() {
    return folder;
  }

  /** Creates the folder if it does not exist. */
  public void create() throws IOException {
    Files.createDirectories(Path.of(folder));
  }

  /** {@return the file for the page of a replay} */
  public ReplayFile next(ReplayReport report) {
    String name = String.valueOf(Path.of(report.input()).getFileName());
    Path file = Path.of(folder, name + ".html");
    for (int number = 2; !taken.add(key(file)); number++) {
      file = Path.of(folder, Text.of("%s-%d.html", name, number));
    }
    return ReplayPageFile.of(file.toString(), facts).orElseThrow();
  }
}
