package dev.stowage.cli.report;

import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.PlannedBank;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.search.BankShortageException;
import java.util.List;
import java.util.Locale;

/** A plan in several banks; people see a line for each bank. */
public final class BankAnswer {

  private BankAnswer() {}

  /**
   * {@return the answer}
   *
   * @param conclusion the first sentences for people
   */
  public static Answer of(BankReport report, Conclusion conclusion) {
    List<PlannedBank> banks = report.banks();
    Table<BankReport> plans = plans(report);
    Answer answer =
        new Answer()
            .conclusion(report.input().file().path(), conclusion)
            .all(head(report.input()))
            .table(banks(banks))
            .table(records(report))
            .table(plans)
            .csv(
                Table.named("banks", banks)
                    .data("input", _ -> Figure.text(report.input().file().path()))
                    .data("", plans, _ -> report)
                    .data("bank_", banks(banks), bank -> bank)
                    .data("lower_bound_bytes", bank -> Figure.count(bank.bounds().offsetsBytes())));
    if (!report.sentences().isEmpty()) {
      answer.line("").lines(report.sentences());
    }
    if (report.isInterrupted()) {
      answer.field("interrupted", true);
    }
    return answer;
  }

  /** {@return the answer for an input with a record that fits into no bank} */
  public static Answer withoutPlan(PlanInput.Tensors input, BankShortageException shortage) {
    return head(input)
        .line(
            "%s: No plan in banks: %s.",
            Printable.of(input.file().path()), Printable.of(String.valueOf(shortage.getMessage())))
        .table(Table.named("plans", List.of()));
  }

  private static Answer head(PlanInput.Tensors input) {
    Answer answer =
        Labels.addFile(input.file(), new Answer())
            .field("alignment", input.problem().alignment())
            .field("naive_bytes", input.problem().naiveBytes());
    Labels.addTasks(input.file(), answer);
    return answer;
  }

  private static Table<Integer> records(BankReport report) {
    BankedProblem problem = report.problem();
    return Labels.add(
        PlanRecords.tensors(report.input(), PlanRecords.all(problem.recordCount()))
            .count("reads", Table.HIDDEN, problem::reads)
            .text("bank", Table.HIDDEN, i -> report.bank(i).name()),
        report.input().labels()::get);
  }

  private static Table<BankReport> plans(BankReport report) {
    return Table.named("plans", List.of(report))
        .text("strategy", Table.HIDDEN, plan -> plan.plan().order().name())
        .text("kind", Table.HIDDEN, _ -> "banks")
        .count("cost", Table.HIDDEN, plan -> plan.plan().assignment().cost())
        .json("offsets", plan -> new Figure.Longs(plan.plan().assignment().offsets()))
        .data("seconds", plan -> new Figure.Seconds(plan.seconds()))
        .count("nodes", Table.HIDDEN, BankReport::nodes)
        .data("ended", plan -> Figure.text(plan.end().name().toLowerCase(Locale.ROOT)));
  }

  /** {@return the banks of a plan} */
  private static Table<PlannedBank> banks(List<PlannedBank> banks) {
    return Table.named("banks", banks)
        .text("name", "BANK", bank -> bank.bank().name())
        .data("bytes", bank -> Figure.bytes(bank.bank().bytes()))
        .count("alignment", Table.HIDDEN, bank -> bank.bank().alignment())
        .count("cost", Table.HIDDEN, bank -> bank.bank().cost())
        .count("records", "tensors", bank -> bank.records().size())
        .count("total_bytes", "bytes", bank -> bank.plan().totalBytes())
        .count("", "lower bound", bank -> bank.bounds().offsetsBytes())
        .count("", "difference", PlannedBank::bytesAboveBound)
        .json(
            "lower_bounds",
            bank ->
                Figure.group(bounds ->
                    bounds
                        .field("offsets", bank.bounds().offsetsBytes())
                        .field("objects", bank.bounds().objectsBytes())))
        .shown(
            "capacity",
            bank ->
                bank.bank().bytes().isPresent()
                    ? Figure.bytes(bank.bank().bytes())
                    : Figure.text("unlimited"))
        .count("", "alignment", bank -> bank.bank().alignment())
        .count("", "byte cost", bank -> bank.bank().cost());
  }
}
