package dev.stowage.cli.output;

import dev.stowage.pages.FigureTable;
import dev.stowage.pages.ReportPage;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * An HTML page of several inputs, written completely or not at all.
 *
 * <p>The file starts with the first input, and gets its name with the index. A subclass adds the
 * inputs to both.
 */
public abstract class PagesFile implements Closeable {

  /** Adds an input to a page. */
  interface Addition {

    /**
     * Adds an input.
     *
     * @param page the page
     * @throws IOException if it cannot be written
     */
    void addTo(ReportPage page) throws IOException;
  }

  /** The file while it is written. */
  private record Begun(WholeFile.Part part, Writer out, ReportPage page) {}

  private final WholeFile file;
  private final String title;
  private final String made;
  private Optional<Begun> begun = Optional.empty();

  /**
   * Creates a page that is not written yet.
   *
   * @param path the path as on the command line
   * @param title the title
   * @param made the participle for an input, such as {@code Planned}
   */
  PagesFile(String path, String title, String made) {
    file = new WholeFile(path);
    this.title = title;
    this.made = made;
  }

  /** {@return the index, which has a row for each input} */
  abstract FigureTable index();

  /** {@return the path} */
  public final String path() {
    return file.path();
  }

  /** {@return true if the page has an input} */
  public final boolean isBegun() {
    return begun.isPresent();
  }

  /**
   * Adds an input.
   *
   * @param input writes the input
   * @return its address in the index
   * @throws IOException if the file cannot be written
   */
  final String add(Addition input) throws IOException {
    if (begun.isEmpty()) {
      WholeFile.Part part = file.begin();
      Writer out = Files.newBufferedWriter(part.path(), StandardOpenOption.CREATE_NEW);
      begun = Optional.of(new Begun(part, out, new ReportPage(title, made, out)));
    }
    ReportPage page = begun.get().page;
    input.addTo(page);
    return page.lastAddress();
  }

  /**
   * Adds a row for an input without a page.
   *
   * @param input the file as on the command line
   * @param reason the reason
   */
  public final void addFailure(String input, String reason) {
    index().add(input, reason);
  }

  /** {@return the number of rows of the index} */
  public final int rowCount() {
    return index().rowCount();
  }

  /**
   * Completes the file, which has one or more inputs.
   *
   * @param facts the run of the command
   * @throws IOException if the file cannot be written; an older file then stays as it was
   */
  public final void complete(RunFacts facts) throws IOException {
    Begun written = begun.orElseThrow();
    written.page.end(index(), facts);
    written.out.close();
    written.part.complete();
  }

  /** Deletes the file unless it is complete. */
  @Override
  public final void close() throws IOException {
    if (begun.isPresent()) {
      try {
        begun.get().out.close();
      } finally {
        begun.get().part.close();
      }
    }
  }
}
