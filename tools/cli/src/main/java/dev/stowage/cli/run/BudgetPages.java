package dev.stowage.cli.run;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.FigurePages;
import dev.stowage.cli.picture.BudgetIndex;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The page of {@code stowage budget}: that of a model, or an index and the page of each model. */
public final class BudgetPages implements Closeable, EachFile.Listener {

  private final Optional<PageOutput> single;
  private final Optional<IndexedPage> together;
  private final BudgetIndex index = new BudgetIndex();

  /**
   * Creates a page that is not written yet, or none.
   *
   * @param output the path, if the option is given
   * @param models the models, which the page must not replace
   * @throws ParameterException if the name does not end in .html, or is that of a model
   */
  public BudgetPages(Optional<String> output, List<String> models, CommandSpec spec) {
    Optional<PageOutput> page = PageOutput.of(output, models, spec);
    single = models.size() == 1 ? page : Optional.empty();
    together =
        models.size() == 1
            ? Optional.empty()
            : output.map(path ->
                new IndexedPage(
                    path,
                    "Budgets of " + Numbers.count(models.size(), "model"),
                    "Predicted",
                    index.table(),
                    index::conclusion,
                    spec));
  }

  /** Writes or adds the budgets of a model and {@return the exit code} */
  public int add(BudgetReport report, RunFacts run) {
    if (single.isPresent()) {
      return single.get().write(FigurePages.of(report, run));
    }
    return together.isEmpty()
        ? ExitCode.DONE
        : together.get().add(page -> index.add(report, run, page));
  }

  @Override
  public void finished(String model, int exitCode) {}

  @Override
  public void failed(String model, String reason) {
    together.ifPresent(page -> page.failed(model, reason));
  }

  /** Completes the index, if there is a page, and {@return the exit code} */
  public int complete() {
    return together.map(IndexedPage::complete).orElse(ExitCode.DONE);
  }

  /** Deletes the file unless it is complete. */
  @Override
  public void close() throws IOException {
    if (together.isPresent()) {
      together.get().close();
    }
  }
}
