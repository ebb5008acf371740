package dev.stowage.cli.banks;

import dev.stowage.cli.input.InputFile;
import dev.stowage.pages.MarkupText;
import dev.stowage.pages.PlanDrawing;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankedStrategy;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** An HTML page of plans in several banks, with a drawing of each bank in the cheapest plan. */
final class BankPage {

  private static final String STYLE =
      """
      :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
      body { max-width: 62rem; margin: 1rem auto; padding: 0 1rem; }
      table { border-collapse: collapse; }
      th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #8886; }
      th:first-child, td:first-child { text-align: left; }
      img { width: 100%; min-width: 40rem; height: auto; display: block; }
      .wide { overflow-x: auto; }
      """;

  private final BankReport report;
  private final BankPlan best;
  private final Writer out;

  private BankPage(BankReport report, BankPlan best, Writer out) {
    this.report = report;
    this.best = best;
    this.out = out;
  }

  /** Writes a page, which declares UTF-8 as its encoding. */
  static void write(BankReport report, BankPlan best, Writer out) throws IOException {
    new BankPage(report, best, out).write();
  }

  private void write() throws IOException {
    String title =
        MarkupText.escaped(String.valueOf(Path.of(report.input().file().path()).getFileName()));
    out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
        .append("style-src 'unsafe-inline'; img-src data:\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>" + title + ": banks</title>\n<style>\n" + STYLE)
        .append("</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n");
    writePlans();
    for (String sentence : BankSentences.of(report)) {
      out.append("<p>" + sentence + "</p>\n");
    }
    for (int bank = 0; bank < report.problem().banks().size(); bank++) {
      writeBank(bank);
    }
    writeRecords();
    out.append("<footer>Planned by Stowage.</footer>\n</body>\n</html>\n");
  }

  private void writePlans() throws IOException {
    out.append(
        "<div class=\"wide\"><table id=\"plans\">\n<thead><tr><th>Strategy</th><th>Cost</th><th>Quality</th>");
    for (MemoryBank bank : report.problem().banks()) {
      out.append("<th>" + MarkupText.escaped(bank.name()) + "</th>");
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (BankPlan plan : report.plans()) {
      long cost = plan.assignment().cost();
      out.append("<tr><td>" + plan.strategy() + "</td><td>" + Numbers.grouped(cost))
          .append("</td><td>")
          .append(
              report.isOptimal(plan) ? "optimal" : report.above(plan) + " above the lower bound");
      for (long bytes : plan.assignment().bankBytes()) {
        out.append("</td><td>" + Numbers.grouped(bytes));
      }
      out.append("</td></tr>\n");
    }
    out.append("<tr><td>lower bound</td><td>" + Numbers.grouped(report.lowerBoundCost()))
        .append("</td></tr>\n</tbody>\n</table></div>\n");
  }

  private void writeBank(int bank) throws IOException {
    MemoryBank data = report.problem().banks().get(bank);
    String capacity =
        data.bytes().isPresent() ? " of " + ByteUnit.exact(data.bytes().getAsLong()) : "";
    out.append("<h2>" + MarkupText.escaped(data.name()) + "</h2>\n<p>")
        .append(
            String.format(
                Locale.ROOT,
                "%s%s used by %s. Alignment %s, cost of a byte %s.</p>\n",
                ByteUnit.exact(best.assignment().bankBytes()[bank]),
                capacity,
                best.strategy(),
                Numbers.grouped(data.alignment()),
                Numbers.grouped(data.cost())));
    List<Integer> members = BankReport.members(best, bank);
    if (best.assignment().bankBytes()[bank] > 0) {
      String drawing = drawing(bank, members);
      String encoded = Base64.getEncoder().encodeToString(drawing.getBytes(StandardCharsets.UTF_8));
      out.append("<div class=\"wide\"><img alt=\"Map of bank " + MarkupText.escaped(data.name()))
          .append("\" src=\"data:image/svg+xml;base64," + encoded + "\"></div>\n");
    }
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

  private void writeRecords() throws IOException {
    out.append(
            "<details>\n<summary>All tensors</summary>\n<div class=\"wide\"><table id=\"records\">\n<thead><tr>")
        .append("<th>Tensor</th><th>Bank</th><th>Offset</th><th>Bytes</th><th>First task</th>")
        .append("<th>Last task</th><th>Reads</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < report.problem().recordCount(); i++) {
      RecordLabel label = report.input().labels().get(i);
      TensorUsageRecord record = report.problem().problem().records().get(i);
      InputFile file = report.input().file();
      out.append("<tr><td>" + MarkupText.escaped(label.name()) + "</td><td>")
          .append(MarkupText.escaped(report.bank(best, i).name()) + "</td><td>")
          .append(Numbers.grouped(best.assignment().offset(i)) + "</td><td>")
          .append(Numbers.grouped(record.bytes()) + "</td><td>")
          .append(MarkupText.escaped(file.cell(record.firstTask())) + "</td><td>")
          .append(MarkupText.escaped(file.cell(record.lastTask())) + "</td><td>")
          .append(report.problem().reads(i) + "</td></tr>\n");
    }
    out.append("</tbody>\n</table></div>\n</details>\n");
  }
}
