package dev.stowage.cli.banks;

import dev.stowage.cli.input.InputFile;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.PlanDrawing;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankedStrategy;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The page of plans in several banks, with a drawing of each bank in the cheapest plan. */
final class BankPage {

  private final BankReport report;
  private final BankPlan best;
  private final FiguresPage page;

  private BankPage(BankReport report, BankPlan best, RunFacts run) {
    this.report = report;
    this.best = best;
    String title = String.valueOf(Path.of(report.input().file().path()).getFileName());
    page = new FiguresPage(Printable.of(title), "banks", "Planned", run);
  }

  /** {@return the page} */
  static FiguresPage of(BankReport report, BankPlan best, RunFacts run) throws IOException {
    BankPage content = new BankPage(report, best, run);
    for (int bank = 0; bank < report.problem().banks().size(); bank++) {
      content.addBank(bank);
    }
    content.addPlans();
    content.addRecords();
    return content.page;
  }

  private void addBank(int bank) throws IOException {
    MemoryBank data = report.problem().banks().get(bank);
    String capacity =
        data.bytes().isPresent() ? " of " + ByteUnit.exact(data.bytes().getAsLong()) : "";
    page.addHeading(data.name());
    page.addText(
        String.format(
            Locale.ROOT,
            "%s%s used by %s. Alignment %s, cost of a byte %s.",
            ByteUnit.exact(best.assignment().bankBytes()[bank]),
            capacity,
            best.strategy(),
            Numbers.grouped(data.alignment()),
            Numbers.grouped(data.cost())));
    if (best.assignment().bankBytes()[bank] > 0) {
      page.addDrawing("Map of bank " + data.name(), drawing(bank, BankReport.members(best, bank)));
    }
  }

  private void addPlans() {
    List<MemoryBank> banks = report.problem().banks();
    page.addHeading("Strategies");
    FigureTable<BankPlan> table =
        new FigureTable<BankPlan>("Strategies")
            .text("Strategy", plan -> plan.strategy().name())
            .count("Cost", plan -> plan.assignment().cost())
            .text(
                "Quality",
                plan ->
                    report.isOptimal(plan)
                        ? "optimal"
                        : report.above(plan) + " above the lower bound");
    for (int i = 0; i < banks.size(); i++) {
      int bank = i;
      table.count(banks.get(i).name(), plan -> plan.assignment().bankBytes()[bank]);
    }
    table.addAll(report.plans());
    table.addText(List.of(Cell.text("lower bound"), Cell.count(report.lowerBoundCost())), "");
    page.addTable(table);
    BankSentences.of(report).forEach(page::addText);
  }

  private String drawing(int bank, List<Integer> members) throws IOException {
    PlanProblem inBank = report.inBank(best, bank);
    long[] offsets = members.stream().mapToLong(best.assignment()::offset).toArray();
    long bytes = best.assignment().bankBytes()[bank];
    long boundBytes = LowerBounds.of(inBank).offsetsBytes();
    // BANKED_GREEDY places the records of each bank as GREEDY_BY_SIZE.
    MemoryStrategy strategy =
        best.strategy() == BankedStrategy.OPTIMAL
            ? MemoryStrategy.OPTIMAL
            : MemoryStrategy.GREEDY_BY_SIZE;
    ShownPlan plan =
        ShownPlan.of(
            strategy.name(), OffsetsAssignment.of(offsets, bytes), boundBytes, bytes == boundBytes);
    StringWriter drawing = new StringWriter();
    PlanPicture picture =
        new PlanPicture(
            report.problem().banks().get(bank).name(),
            report.input().file().tasks(),
            members.stream().map(report.input().labels()::get).toList(),
            inBank,
            List.of(plan),
            0);
    PlanDrawing.write(picture, drawing);
    return drawing.toString();
  }

  private void addRecords() {
    page.addHeading("All tensors");
    InputFile file = report.input().file();
    page.addTable(
        new FigureTable<Integer>("All tensors")
            .text("Tensor", i -> report.input().labels().get(i).name())
            .text("Bank", i -> report.bank(best, i).name())
            .count("Offset", i -> best.assignment().offset(i))
            .count("Bytes", i -> record(i).bytes())
            .text("First task", i -> file.cell(record(i).firstTask()))
            .text("Last task", i -> file.cell(record(i).lastTask()))
            .count("Reads", i -> report.problem().reads(i))
            .addAll(IntStream.range(0, report.problem().recordCount()).boxed().toList()));
  }

  private TensorUsageRecord record(int index) {
    return report.problem().problem().records().get(index);
  }
}
