package dev.stowage.cli.conclusion;

import dev.stowage.cli.banks.BankPlan;
import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.report.PlanAnswer;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.banks.MemoryBank;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The conclusion of {@code stowage plan} for several memories. */
public final class BankConclusion {

  private BankConclusion() {}

  /**
   * {@return the conclusion; empty if there is no plan}
   *
   * @param options the options for the next command
   */
  public static Optional<Conclusion> of(BankReport report, PlanningOptionWords options) {
    return report.best().map(best -> of(report, best, options));
  }

  private static Conclusion of(BankReport report, BankPlan best, PlanningOptionWords options) {
    long cost = best.assignment().cost();
    return new Conclusion(
        "cost " + Numbers.grouped(cost),
        String.format(
            Locale.ROOT,
            "The cheapest plan of %s costs %s: by %s, %s.",
            PlanWords.all(report.problem().recordCount(), "tensor", report.input().file()),
            Numbers.grouped(cost),
            best.strategy(),
            IntStream.range(0, report.problem().banks().size())
                .mapToObj(bank -> used(report.problem().banks().get(bank), best, bank))
                .collect(Collectors.joining(", "))),
        report.isOptimal(best)
            ? "Proved: no plan costs less."
            : "The plan is " + PlanAnswer.quality(false, cost, report.lowerBoundCost()) + ".",
        options.writing(report.input().file().path(), "plan.h"));
  }

  private static String used(MemoryBank bank, BankPlan best, int index) {
    String bytes = ByteUnit.human(best.assignment().bankBytes()[index]);
    return bank.bytes().isPresent()
        ? bytes
            + " of "
            + ByteUnit.human(bank.bytes().getAsLong())
            + " in "
            + Printable.of(bank.name())
        : bytes + " in " + Printable.of(bank.name());
  }
}
