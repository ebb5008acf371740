package dev.stowage.cli.run;

import dev.stowage.cli.output.PagesFile;
import dev.stowage.console.ExitCode;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The page of several inputs, with an index. If it cannot be written, the reason is reported once.
 *
 * @param <F> the file
 */
final class IndexedPage<F extends PagesFile> implements Closeable, EachFile.Listener {

  private final F file;
  private final CommandSpec spec;
  private boolean isBroken;

  IndexedPage(F file, CommandSpec spec) {
    this.file = file;
    this.spec = spec;
  }

  /** An addition of an input. */
  interface Addition<F> {

    /** Adds the input to the file. */
    void addTo(F file) throws IOException;
  }

  /** Adds an input and {@return the exit code} */
  int add(Addition<F> addition) {
    if (isBroken) {
      return ExitCode.FAILED;
    }
    try {
      addition.addTo(file);
      return ExitCode.DONE;
    } catch (IOException e) {
      isBroken = true;
      return Diagnostics.of(spec).reportUnwritten(file.path(), e);
    }
  }

  int rowCount() {
    return file.rowCount();
  }

  @Override
  public void finished(String input, int exitCode) {}

  @Override
  public void failed(String input, String reason) {
    file.addFailure(input, reason);
  }

  /** Completes the page if it has an input, and {@return the exit code} */
  int complete() {
    if (isBroken || !file.isBegun()) {
      return ExitCode.DONE;
    }
    RunFacts run = CommandFacts.run(spec);
    return Diagnostics.of(spec).write(file.path(), () -> file.complete(run));
  }

  /** Deletes the file unless it is complete. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
