package dev.stowage.cli.banks;

import dev.stowage.cli.report.ReportFormat;
import dev.stowage.cli.report.TextTable;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.plan.banks.MemoryBank;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Plans in several banks as a table, with a column of bytes for each bank. */
final class BankTable implements ReportFormat<BankReport> {

  @Override
  public void print(BankReport report, Writer out) throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s over %s, %s if nothing is shared%n%n",
            Printable.of(report.input().file().path()),
            Numbers.count(report.problem().recordCount(), "tensor"),
            Numbers.count(report.input().file().operatorCount(), "task"),
            ByteUnit.human(report.problem().problem().naiveBytes())));
    TextTable table = new TextTable();
    List<MemoryBank> banks = report.problem().banks();
    row(table, List.of("BANKS", "cost", "over bound"), banks.stream().map(MemoryBank::name));
    for (BankPlan plan : report.plans()) {
      row(
          table,
          List.of(
              "  " + plan.strategy(),
              Numbers.grouped(plan.assignment().cost()),
              report.isOptimal(plan) ? "optimal" : over(plan, report)),
          Arrays.stream(plan.assignment().bankBytes()).mapToObj(BankTable::bytes));
    }
    if (report.lowerBoundCost() < Long.MAX_VALUE) {
      table.row("  lower bound", Numbers.grouped(report.lowerBoundCost()));
    }
    row(
        table,
        List.of("  capacity", "", ""),
        banks.stream()
            .map(bank -> bank.bytes().isPresent() ? bytes(bank.bytes().getAsLong()) : "unlimited"));
    row(
        table,
        List.of("  cost of a byte", "", ""),
        banks.stream().map(bank -> Numbers.grouped(bank.cost())));
    table.print(out);
    Optional<BankPlan> best = report.best();
    if (best.isPresent()) {
      out.write(
          String.format(
              Locale.ROOT,
              "%nBest: a cost of %s by %s, %s.%n",
              Numbers.grouped(best.get().assignment().cost()),
              best.get().strategy(),
              report.isOptimal(best.get())
                  ? "proved optimal"
                  : "at most " + report.above(best.get()) + " above the optimum"));
    }
    for (String sentence : BankSentences.of(report)) {
      out.write(sentence + "\n");
    }
  }

  private static void row(TextTable table, List<String> first, Stream<String> more) {
    List<String> cells = new ArrayList<>(first);
    more.map(Printable::of).forEach(cells::add);
    table.row(cells.toArray(String[]::new));
  }

  private static String bytes(long bytes) {
    return Numbers.grouped(bytes);
  }

  /** {@return the distance from the bound in a table} */
  private static String over(BankPlan plan, BankReport report) {
    String above = report.above(plan);
    return above.startsWith("<") ? above : "+" + above;
  }
}
