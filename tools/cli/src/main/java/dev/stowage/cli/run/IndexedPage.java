package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.ReportPage;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The page of several inputs, with an index, written completely or not at all.
 *
 * <p>The file starts with the first input, and gets its name with the index. If it cannot be
 * written, the reason is reported once.
 */
public final class IndexedPage implements Closeable, EachFile.Listener {

  private final WholeFile file;
  private final String title;
  private final String made;
  private final FigureTable<?> index;
  private final Supplier<Optional<Conclusion>> conclusion;
  private final CommandSpec spec;
  private Optional<Begun> begun = Optional.empty();
  private boolean isBroken;

  /** The file while it is written. */
  private record Begun(WholeFile.Part part, Writer out, ReportPage page) {}

  /** An addition of an input to the page and to the index. */
  public interface Addition {

    void addTo(ReportPage page) throws IOException;
  }

  /**
   * @param made the participle for an input, such as {@code Planned}
   * @param conclusion returns the conclusion on all inputs
   */
  public IndexedPage(
      String path,
      String title,
      String made,
      FigureTable<?> index,
      Supplier<Optional<Conclusion>> conclusion,
      CommandSpec spec) {
    file = new WholeFile(path);
    this.title = title;
    this.made = made;
    this.index = index;
    this.conclusion = conclusion;
    this.spec = spec;
  }

  /** Adds an input and {@return the exit code} */
  public int add(Addition input) {
    if (isBroken) {
      return ExitCode.FAILED;
    }
    try {
      if (begun.isEmpty()) {
        WholeFile.Part part = file.begin();
        Writer out = Files.newBufferedWriter(part.path(), StandardOpenOption.CREATE_NEW);
        begun = Optional.of(new Begun(part, out, new ReportPage(title, made, out)));
      }
      input.addTo(begun.get().page);
      return ExitCode.DONE;
    } catch (IOException e) {
      isBroken = true;
      return Diagnostics.of(spec).reportUnwritten(file.path(), e);
    }
  }

  /** {@return the address of the input that was added last; empty if there is none} */
  public String lastAddress() {
    return begun.map(written -> written.page.lastAddress()).orElse("");
  }

  @Override
  public void finished(String input, int exitCode) {}

  @Override
  public void failed(String input, String reason) {
    index.addFailure(input, reason);
  }

  /** Completes the page if it has an input, and {@return the exit code} */
  public int complete() {
    if (isBroken || begun.isEmpty()) {
      return ExitCode.DONE;
    }
    RunFacts facts = CommandFacts.run(spec);
    RunFacts run = conclusion.get().map(facts::withConclusion).orElse(facts);
    Begun written = begun.get();
    return Diagnostics.of(spec)
        .write(
            file.path(),
            () -> {
              written.page.end(index, run);
              written.out.close();
              written.part.complete();
            });
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
