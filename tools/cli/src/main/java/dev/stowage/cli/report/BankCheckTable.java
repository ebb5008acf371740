package dev.stowage.cli.report;

import dev.stowage.cli.check.BankCheckReport;
import dev.stowage.cli.check.BankCheckReport.CheckedBank;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reports on plans in several banks as tables, with a blank line between two of them. */
final class BankCheckTable implements ReportFormat<BankCheckReport> {

  private boolean hasPrinted;

  @Override
  public void print(BankCheckReport report, Writer out) throws IOException {
    if (hasPrinted) {
      out.write("\n");
    }
    hasPrinted = true;
    ViolationTables violations =
        new ViolationTables(report.input(), report.violations(), report.input().banks().ties());
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s over %s in %s, %s\n",
            Printable.of(report.input().file().path()),
            Numbers.count(report.input().labels().size(), "tensor"),
            Numbers.count(report.input().file().operatorCount(), "task"),
            Numbers.count(report.banks().size(), "bank"),
            violations.verdict()));
    boolean isDeclared = report.cost().isPresent();
    TextTable table = new TextTable();
    table.row("");
    List<String> titles =
        new ArrayList<>(List.of("BANK", "tensors", "bytes", "lower bound", "difference"));
    if (isDeclared) {
      titles.addAll(List.of("capacity", "alignment", "cost of a byte"));
    }
    table.row(titles.toArray(String[]::new));
    for (CheckedBank bank : report.banks()) {
      List<String> cells = new ArrayList<>();
      cells.add("  " + Printable.of(bank.bank().name()));
      cells.add(Numbers.grouped(bank.recordCount()));
      cells.add(Numbers.grouped(bank.totalBytes()));
      cells.add(Numbers.grouped(bank.bounds().offsetsBytes()));
      cells.add(Numbers.grouped(bank.bytesAboveBound()));
      if (isDeclared) {
        cells.add(
            bank.bank().bytes().isPresent()
                ? Numbers.grouped(bank.bank().bytes().getAsLong())
                : "unlimited");
        cells.add(Numbers.grouped(bank.bank().alignment()));
        cells.add(Numbers.grouped(bank.bank().cost()));
      }
      table.row(cells.toArray(String[]::new));
    }
    table.print(out);
    if (isDeclared) {
      out.write("\nCost: " + Numbers.grouped(report.cost().getAsLong()) + "\n");
    }
    violations.print(out);
  }
}
