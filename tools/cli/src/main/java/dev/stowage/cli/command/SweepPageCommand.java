package dev.stowage.cli.command;

import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.console.ExitCode;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.SweepPage;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the page of a sweep. {@code stowage sweep} runs this command in a worker. */
@Command(name = "sweep-page", hidden = true, description = "Writes the page of a sweep.")
public final class SweepPageCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "The content of the page.")
  private String file = "";

  @Option(names = "--output", required = true, paramLabel = "PATH", description = "The page.")
  private String output = "";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Diagnostics diagnostics = Diagnostics.of(spec);
    FiguresPage page;
    try {
      page = SweepPage.read(file);
    } catch (IOException e) {
      return diagnostics.reportFailure(file, e);
    }
    try {
      new WholeFile(output).write(page::write);
      return ExitCode.DONE;
    } catch (IOException e) {
      return diagnostics.reportUnwritten(output, e);
    }
  }
}
