package dev.stowage.cli.output;

import dev.stowage.pages.ReportPage;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The page of several inputs, with an index, written completely or not at all.
 *
 * <p>The file starts with the first input, and gets its name with the index. If it cannot be
 * written, the reason is thrown once.
 */
public final class IndexedPage implements Closeable {

  private final WholeFile file;
  private final String title;
  private final String made;
  private Optional<Begun> begun = Optional.empty();
  private boolean isBroken;

  /** The file while it is written. */
  private record Begun(WholeFile.Part part, Writer out, ReportPage page) {}

  /** An addition of an input, or of the index, to the page. */
  public interface Addition {

    /** Writes the addition. */
    void addTo(ReportPage page) throws IOException;
  }

  /**
   * Creates a page that is not begun.
   *
   * @param made the participle for an input, such as {@code Planned}
   */
  public IndexedPage(String path, String title, String made) {
    file = new WholeFile(path);
    this.title = title;
    this.made = made;
  }

  public String path() {
    return file.path();
  }

  /** Adds an input; nothing if the file is broken. */
  public void add(Addition input) throws IOException {
    if (isBroken) {
      return;
    }
    isBroken = true; // unless all is written
    if (begun.isEmpty()) {
      WholeFile.Part part = file.begin();
      Writer out = Files.newBufferedWriter(part.path(), StandardOpenOption.CREATE_NEW);
      begun = Optional.of(new Begun(part, out, new ReportPage(title, made, out)));
    }
    input.addTo(begun.get().page);
    isBroken = false;
  }

  /** {@return true if the page has an input and can be completed} */
  public boolean isBegun() {
    return begun.isPresent() && !isBroken;
  }

  /** Writes the index, and completes the page. */
  public void complete(Addition index) throws IOException {
    Begun written = begun.orElseThrow();
    index.addTo(written.page);
    written.out.close();
    written.part.complete();
  }

  /** Deletes the file unless it is complete. */
  @Override
  public void close() throws IOException {
    if (begun.isPresent()) {
      try {
        begun.get().out.close();
      } finally {
        begun.get().part.close();
      }
    }
  }
}
