package dev.stowage.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

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

/**
 * A folder with an HTML page for each replay, and an index of them.
 *
 * <p>A page has the name of its trace and {@code .html}. If two replays have the same name, the
 * second page has {@code -2} behind the name of the trace, and so on. Pages of earlier commands are
 * replaced, traces are not. The index is {@code index.html}; it does not replace a file of another
 * program.
 */
public final class ReplayPages implements ReplayFile {

  private final String folder;
  private final Set<String> taken = new HashSet<>();
  private String path;
  private boolean hasPage;

  /** Creates a folder that is not written yet. */
  public ReplayPages(String folder) {
    this.folder = folder;
    path = folder;
    taken.add(key(index()));
  }

  private Path index() {
    return Path.of(folder, "index.html");
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public boolean isPicture() {
    return true;
  }

  @Override
  public String indexPath() {
    return index().toString();
  }

  @Override
  public boolean hasIndex() {
    return hasPage;
  }

  /**
   * Creates the folder if it does not exist, and reserves the names of traces.
   *
   * @param traces the traces as on the command line; those that are no paths are ignored
   */
  @Override
  public void create(List<String> traces) throws IOException {
    Files.createDirectories(Path.of(folder));
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

  @Override
  public void write(ReplayReport report, RunFacts run) throws IOException {
    String name = String.valueOf(Path.of(report.input()).getFileName());
    Path file = Path.of(folder, name + ".html");
    for (int number = 2; !taken.add(key(file)); number++) {
      file = Path.of(folder, Text.of("%s-%d.html", name, number));
    }
    path = file.toString();
    new ReplayPageFile(path).write(report, run);
    hasPage = true;
  }

  /** {@return the address of the last page: all but a few characters are escaped} */
  @Override
  public String address() {
    StringBuilder address = new StringBuilder("./");
    for (byte unit : String.valueOf(Path.of(path).getFileName()).getBytes(UTF_8)) {
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
  @Override
  public void complete(FiguresPage page) throws IOException {
    Path index = index();
    if (Files.isRegularFile(index) && !isOfStowage(index)) {
      throw new IOException(
          "it exists and is not a page of Stowage; move it, or use another folder");
    }
    new WholeFile(indexPath()).write(page::write);
  }

  private static boolean isOfStowage(Path page) throws IOException {
    try (InputStream in = Files.newInputStream(page)) {
      return new String(in.readNBytes(2000), UTF_8)
          .contains("<meta name=\"generator\" content=\"Stowage\">");
    }
  }
}
