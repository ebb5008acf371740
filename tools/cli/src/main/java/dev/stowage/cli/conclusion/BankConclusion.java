package dev.stowage.cli.conclusion;

import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.PlannedBank;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.stream.Collectors;

/** The conclusion of {@code stowage plan} for several memories. */
public final class BankConclusion {

  private BankConclusion() {}

  /**
   * {@return the conclusion}
   *
   * @param options the options for the next command
   */
  public static Conclusion of(BankReport report, NextPlanCommand options) {
    String cost = Numbers.grouped(report.plan().assignment().cost());
    return new Conclusion(
        "cost " + cost,
        Text.of(
            "A plan of %s costs %s: by %s, %s.",
            SharedConclusion.all(report.problem().recordCount(), "tensor", report.input().file()),
            cost,
            report.plan().order(),
            report.banks().stream().map(BankConclusion::used).collect(Collectors.joining(", "))),
        report.isCheapest()
            ? "Proved: no plan costs less."
            : "Not proved: another division among the banks may cost less.",
        options.writing(report.input().file().path(), "plan.csv"));
  }

  private static String used(PlannedBank bank) {
    String capacity =
        bank.bank().bytes().isPresent()
            ? " of " + ByteUnit.human(bank.bank().bytes().getAsLong())
            : "";
    return ByteUnit.human(bank.plan().totalBytes())
        + capacity
        + " in "
        + Printable.of(bank.bank().name());
  }
}
