package dev.stowage.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.ReplayPage;
import dev.stowage.pages.ReplayPicture;
import dev.stowage.pages.text.RunFacts;
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
 * The HTML page of a replay, a page of several replays with an index, or a folder with a page for
 * each replay and an index.
 *
 * <p>In a folder, a page has the name of its trace and {@code .html}. If two replays have the same
 * name, the second page has {@code -2} behind the name of the trace, and so on. The index is {@code
 * index.html}. Pages of earlier commands are replaced, other files are not.
 */
public final class ReplayPages implements ReplayFile {

  private final Optional<IndexedPage> book;
  private final Optional<String> folder;
  private final Set<String> taken = new HashSet<>();
  private String path;
  private String address = "";

  private ReplayPages(String path, Optional<IndexedPage> book, Optional<String> folder) {
    this.path = path;
    this.book = book;
    this.folder = folder;
  }

  /** {@return a page of one replay, or of several ones} */
  public static ReplayPages page(String path, boolean isOne) {
    return new ReplayPages(
        path,
        isOne ? Optional.empty() : Optional.of(new IndexedPage(path, "Replays", "Replayed")),
        Optional.empty());
  }

  /** {@return a folder; it is created with its first page} */
  public static ReplayPages folder(String folder) {
    ReplayPages pages = new ReplayPages(folder, Optional.empty(), Optional.of(folder));
    pages.taken.add(key(Path.of(folder, "index.html")));
    return pages;
  }

  @Override
  public String path() {
    return path;
  }

  /** {@return the file with the index; empty if there are no replays for one} */
  public Optional<String> indexPath() {
    return folder.isPresent() && taken.size() > 1
        ? Optional.of(Path.of(folder.get(), "index.html").toString())
        : book.filter(IndexedPage::isBegun).map(IndexedPage::path);
  }

  @Override
  public boolean write(ReplayReport report, RunFacts run) throws IOException {
    String name = String.valueOf(Path.of(report.input()).getFileName());
    ReplayPicture picture =
        new ReplayPicture(
            name,
            report.allocator().text(),
            report.result(),
            report.details().history().orElseThrow(),
            run);
    address = "";
    if (book.isPresent()) {
      book.get()
          .add(all -> {
            all.add(picture);
            address = all.lastAddress();
          });
      return false;
    }
    if (folder.isPresent()) {
      Files.createDirectories(Path.of(folder.get()));
      Path file = Path.of(folder.get(), name + ".html");
      for (int number = 2; !taken.add(key(file)) || isOther(file); number++) {
        file = Path.of(folder.get(), Text.of("%s-%d.html", name, number));
      }
      path = file.toString();
    }
    new WholeFile(path).write(out -> ReplayPage.write(picture, out));
    address = folder.isPresent() ? address(path) : "";
    return true;
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
  public void complete(FiguresPage index) throws IOException {
    if (book.isPresent()) {
      book.get().complete(all -> all.end(index));
      return;
    }
    String file = indexPath().orElseThrow();
    if (isOther(Path.of(file))) {
      throw new IOException(
          "it exists and is not a page of Stowage; move it, or use another folder");
    }
    new WholeFile(file).write(index::write);
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

  @Override
  public void close() throws IOException {
    if (book.isPresent()) {
      book.get().close();
    }
  }
}
