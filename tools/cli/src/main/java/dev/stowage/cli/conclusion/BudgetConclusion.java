package dev.stowage.cli.conclusion;

import dev.stowage.cli.budget.BudgetFit;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ServiceSize;
import dev.stowage.cli.report.BudgetAnswer;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The conclusion of {@code stowage budget}. */
public final class BudgetConclusion {

  private final BudgetReport report;
  private final ServiceSize service;
  private final List<String> options;

  private BudgetConclusion(BudgetReport report, List<String> options) {
    this.report = report;
    this.options = options;
    service = report.request().service();
  }

  /**
   * {@return the conclusion}
   *
   * @param options the options that change the budget, as words of a command line
   */
  public static Conclusion of(BudgetReport report, List<String> options) {
    return new BudgetConclusion(report, options).conclusion();
  }

  private Conclusion conclusion() {
    Optional<BudgetFit> fit = report.more().fit().filter(found -> found.largest().isPresent());
    OptionalLong limit = report.limitBytes();
    return new Conclusion(
        fit.map(found -> found.name() + "=" + found.largest().orElseThrow())
            .orElseGet(() -> ByteUnit.human(limit.orElse(report.highestBytes()))),
        report
            .more()
            .fit()
            .map(this::fitting)
            .orElseGet(() -> limit.isPresent() ? toSet(limit.getAsLong()) : none()),
        Text.of(
            "Measured with %s on %s, %s. Measure on production's kind of machine%s.",
            report.request().engine().title(),
            Printable.of(report.machine()),
            BudgetAnswer.load(report.request()),
            report.hasProcess() ? "" : ", and with --jvm-heap to include the Java process"),
        command(fit));
  }

  private String toSet(long limitBytes) {
    boolean hasProcess = report.hasProcess();
    OptionalLong given = service.limitBytes();
    return Text.of(
        "%s %s%s for %s%s%s.",
        hasProcess ? "Set a limit of" : "Allow",
        ByteUnit.sentence(limitBytes),
        hasProcess ? "" : " beside the Java process",
        service.requests(),
        report.at(),
        given.isEmpty()
            ? ""
            : (report.fitsLargest() ? ", which is within " : ", which exceeds ")
                + ByteUnit.human(given.getAsLong()));
  }

  private String none() {
    return report.load().growthBytes() > 0
        ? Text.of(
            "The memory is still growing: the last window of two minutes of mixed requests added %s to %s%s. There is no limit to set; try --remedies.",
            ByteUnit.sentence(report.load().growthBytes()),
            ByteUnit.human(report.highestBytes()),
            report.at())
        : Text.of(
            "This machine has too little memory for all shapes: %s is the highest%s, after which less than a tenth of its memory was available. Measure on a larger machine.",
            ByteUnit.sentence(report.highestBytes()), report.at());
  }

  private String fitting(BudgetFit fit) {
    if (fit.largest().isEmpty()) {
      return Text.of(
          "No %s fits into %s.", Printable.of(fit.name()), ByteUnit.sentence(fit.limitBytes()));
    }
    long size = fit.largest().getAsLong();
    return Text.of(
        "The largest %s within %s is %s%s.",
        Printable.of(fit.name()),
        ByteUnit.sentence(fit.limitBytes()),
        Numbers.grouped(size),
        size == fit.last() ? ", the largest that was tried" : "");
  }

  /** {@return the command to run next; empty if the remedies are measured and do not help} */
  private Optional<String> command(Optional<BudgetFit> fit) {
    List<String> words = new ArrayList<>(options);
    if (fit.isPresent()) {
      // Still a range: a load of mixed sizes needs more than one of the largest size alone.
      String size = fit.get().name() + "=";
      String last = ".." + fit.get().largest().orElseThrow();
      words.replaceAll(word -> word.startsWith(size) ? word.replaceAll("\\.\\.\\d+$", last) : word);
    }
    boolean fits = fit.isPresent() || (report.limitBytes().isPresent() && report.fitsLargest());
    if (fits) {
      return Optional.of(ShellLine.of("budget", report.input(), words, "--format", "k8s"));
    }
    return report.more().remedies().isEmpty()
        ? Optional.of(ShellLine.of("budget", report.input(), words, "--remedies"))
        : Optional.empty();
  }
}
