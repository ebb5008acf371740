package dev.stowage.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The HTML page of a replay, the index of several replays, or a folder with a page for each replay
 * and an index.
 *
 * <p>In a folder, a page has the name of its trace and {@code .html}. If two replays have the same
 * name, the second page has {@code -2} behind the name of the trace, and so on. The index is {@code
 * index.html}. Pages of earlier commands are replaced, other files are not.
 */
public final class ReplayPages implements ReplayFile {

  private final String output;
  private final boolean isFolder;
  private final boolean isOne;
  private final Set<String> taken = new HashSet<>();
  private String path;
  private String address = "";

  /**
   * Creates pages.
   *
   * @param output the page, or the folder, which is created with its first page
   * @param isOne true if there is one replay
   */
  public ReplayPages(String output, boolean isFolder, boolean isOne) {
    this.output = output;
    this.isFolder = isFolder;
    this.isOne = isOne && !isFolder;
    path = output;
  }

  @Override
  public String path() {
    return path;
  }

  /** {@return true if each replay has a page with a map} */
  public boolean hasMaps() {
    return isFolder || isOne;
  }

  /** {@return the file with the index; empty if there are no replays for one} */
  public Optional<String> indexPath() {
    return isOne || taken.isEmpty()
        ? Optional.empty()
        : Optional.of(isFolder ? Path.of(output, "index.html").toString() : output);
  }

  @Override
  public boolean write(ReplayReport report, WholeFile.Content page) throws IOException {
    if (isFolder) {
      Files.createDirectories(Path.of(output));
      String name = String.valueOf(Path.of(report.input()).getFileName());
      Path file = Path.of(output, name + ".html");
      for (int number = 2; isIndex(file) || !taken.add(key(file)) || isOther(file); number++) {
        file = Path.of(output, Text.of("%s-%d.html", name, number));
      }
      path = file.toString();
      address = address(path);
    } else if (!isOne) {
      taken.add(report.input());
      return false;
    }
    new WholeFile(path).write(page);
    return true;
  }

  private boolean isIndex(Path file) {
    return key(file).equals(key(Path.of(output, "index.html")));
  }

  /** {@return the file's absolute path; file systems may not distinguish upper and lower case} */
  private static String key(Path file) {
    return file.toAbsolutePath().normalize().toString().toLowerCase(Locale.ROOT);
  }

  /** {@return the address of the replay that was written last, in the index; empty without one} */
  public String address() {
    return address;
  }

  /** {@return the address of a page in the folder: all but a few characters are escaped} */
  private static String address(String page) {
    StringBuilder address = new StringBuilder("./");
    for (byte unit : String.valueOf(Path.of(page).getFileName()).getBytes(UTF_8)) {
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
  public void complete(WholeFile.Content index) throws IOException {
    String file = indexPath().orElseThrow();
    if (isFolder && isOther(Path.of(file))) {
      throw new IOException(
          "it exists and is not a page of Stowage; move it, or use another folder");
    }
    new WholeFile(file).write(index);
  }

  /** {@return true if a file exists and is not a page of Stowage, such as a trace} */
  private static boolean isOther(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return !new String(in.readNBytes(2000), UTF_8)
          .contains("<meta name=\"generator\" content=\"Stowage\">");
    }
  }
}
