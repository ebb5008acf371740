package dev.stowage.cli.banks;

import dev.stowage.cli.check.BankCheckReport.CheckedBank;
import dev.stowage.cli.input.InputFile;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.PlanDrawing;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** The page of a plan in several banks, with a drawing of each bank. */
final class BankPage {

  private final BankReport report;
  private final FiguresPage page;

  private BankPage(BankReport report, RunFacts run) {
    this.report = report;
    String title = String.valueOf(Path.of(report.input().file().path()).getFileName());
    page = new FiguresPage(Printable.of(title), "banks", "Planned", run);
  }

  /** {@return the page} */
  static FiguresPage of(BankReport report, RunFacts run) throws IOException {
    BankPage content = new BankPage(report, run);
    for (CheckedBank bank : report.banks()) {
      content.addBank(bank);
    }
    report.sentences().forEach(content.page::addText);
    content.addRecords();
    return content.page;
  }

  private void addBank(CheckedBank bank) throws IOException {
    MemoryBank data = bank.bank();
    String capacity =
        data.bytes().isPresent() ? " of " + ByteUnit.exact(data.bytes().getAsLong()) : "";
    page.addHeading(data.name());
    page.addText(
        Text.of(
            "%s%s used; no plan of these tensors needs less than %s. Alignment %s, cost of a byte %s.",
            ByteUnit.exact(bank.plan().totalBytes()),
            capacity,
            ByteUnit.exact(bank.bounds().offsetsBytes()),
            Numbers.grouped(data.alignment()),
            Numbers.grouped(data.cost())));
    if (bank.plan().totalBytes() > 0) {
      page.addDrawing("Map of bank " + data.name(), drawing(bank));
    }
  }

  private String drawing(CheckedBank bank) throws IOException {
    long boundBytes = bank.bounds().offsetsBytes();
    ShownPlan plan =
        ShownPlan.of(
            MemoryStrategy.OPTIMAL.name(), bank.plan(), boundBytes, bank.bytesAboveBound() == 0);
    StringWriter drawing = new StringWriter();
    PlanPicture picture =
        new PlanPicture(
            bank.bank().name(),
            report.input().file().tasks(),
            bank.records().stream().map(report.input().labels()::get).toList(),
            bank.problem(),
            List.of(plan),
            0);
    PlanDrawing.write(picture, drawing);
    return drawing.toString();
  }

  private void addRecords() {
    page.addHeading("All tensors");
    InputFile file = report.input().file();
    List<TensorUsageRecord> records = report.problem().problem().records();
    page.addTable(
        new FigureTable<Integer>("All tensors")
            .text("Tensor", i -> report.input().labels().get(i).name())
            .text("Bank", i -> report.bank(i).name())
            .count("Offset", i -> report.plan().assignment().offset(i))
            .count("Bytes", i -> records.get(i).bytes())
            .text("First task", i -> file.cell(records.get(i).firstTask()))
            .text("Last task", i -> file.cell(records.get(i).lastTask()))
            .count("Reads", i -> report.problem().reads(i))
            .addAll(IntStream.range(0, records.size()).boxed().toList()));
  }
}
