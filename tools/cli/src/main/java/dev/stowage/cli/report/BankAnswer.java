package dev.stowage.cli.report;

import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.check.CheckedBank;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.PlanDrawing;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.search.BankShortageException;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.List;
import java.util.Locale;

/** A plan in several banks; people see a line for each bank, and pages also a map. */
public final class BankAnswer {

  private BankAnswer() {}

  /**
   * {@return the answer}
   *
   * @param conclusion the first sentences for people
   */
  public static Answer of(BankReport report, Conclusion conclusion) {
    List<CheckedBank> banks = report.banks();
    Table<BankReport> plans = plans(report);
    Answer answer =
        new Answer()
            .conclusion(report.input().file().path(), conclusion)
            .all(head(report.input()))
            .table(CheckAnswer.banks(banks));
    for (CheckedBank bank : banks) {
      if (bank.plan().totalBytes() > 0) {
        answer.picture(page -> {
          page.addHeading(bank.bank().name());
          page.addDrawing("Map of bank " + bank.bank().name(), drawing(bank, report.input()));
        });
      }
    }
    answer
        .table(records(report))
        .table(plans)
        .csv(
            Table.named("banks", banks)
                .data("input", _ -> Figure.text(report.input().file().path()))
                .data("", plans, _ -> report)
                .data("bank_", CheckAnswer.banks(banks), bank -> bank)
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

  /** {@return the records, for programs and pages} */
  private static Table<Integer> records(BankReport report) {
    BankedProblem problem = report.problem();
    InputFile file = report.input().file();
    List<TensorUsageRecord> records = problem.problem().records();
    Table<Integer> table =
        PlanRecords.tensors(report.input(), PlanRecords.all(problem.recordCount()))
            .count("reads", Table.HIDDEN, problem::reads)
            .text("bank", Table.HIDDEN, i -> report.bank(i).name());
    return Labels.add(table, report.input().labels()::get)
        .shown("All tensors", i -> Figure.text(report.input().labels().get(i).name()))
        .shown("Bank", i -> Figure.text(report.bank(i).name()))
        .shown("Offset", i -> Figure.count(report.plan().assignment().offset(i)))
        .shown("Bytes", i -> Figure.count(records.get(i).bytes()))
        .shown("First task", i -> Figure.text(file.cell(records.get(i).firstTask())))
        .shown("Last task", i -> Figure.text(file.cell(records.get(i).lastTask())))
        .shown("Reads", i -> Figure.count(problem.reads(i)))
        .onTerminal(List.of());
  }

  private static Table<BankReport> plans(BankReport report) {
    return Table.named("plans", List.of(report))
        .text("strategy", Table.HIDDEN, plan -> plan.plan().order().name())
        .text("kind", Table.HIDDEN, _ -> "banks")
        .count("cost", Table.HIDDEN, plan -> plan.plan().assignment().cost())
        .json("offsets", plan -> new Figure.Longs(plan.plan().assignment().offsets()))
        .data("seconds", plan -> new Figure.Seconds(plan.seconds()))
        .count("nodes", Table.HIDDEN, BankReport::nodes)
        .data("ended", BankAnswer::ended);
  }

  private static Figure ended(BankReport report) {
    return Figure.text(report.end().name().toLowerCase(Locale.ROOT));
  }

  private static String drawing(CheckedBank bank, PlanInput.Tensors input) {
    ShownPlan plan =
        ShownPlan.of(
            MemoryStrategy.OPTIMAL.name(),
            bank.plan(),
            bank.bounds().offsetsBytes(),
            bank.bytesAboveBound() == 0);
    PlanPicture picture =
        new PlanPicture(
            bank.bank().name(),
            input.file().tasks(),
            bank.records().stream().map(input.labels()::get).toList(),
            bank.problem(),
            List.of(plan),
            0);
    return PlanDrawing.of(picture);
  }
}
