package dev.stowage.cli.banks;

import dev.stowage.cli.report.ReportFormat;
import dev.stowage.cli.text.CsvField;
import dev.stowage.cli.text.Numbers;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Plans in several banks as lines of CSV. */
final class BankCsv implements ReportFormat<BankReport> {

  private boolean hasHeader;

  @Override
  public void print(BankReport report, Writer out) throws IOException {
    if (!hasHeader) {
      out.write(
          "input,strategy,kind,cost,lower_bound_cost,optimal,seconds,nodes,ended,bank_bytes\n");
      hasHeader = true;
    }
    for (BankPlan plan : report.plans()) {
      String search =
          plan.search()
              .map(found -> found.nodes() + "," + found.end().name().toLowerCase(Locale.ROOT))
              .orElse(report.isInterrupted() ? ",interrupted" : ",");
      out.write(
          String.format(
              Locale.ROOT,
              "%s,%s,banks,%d,%d,%s,%s,%s,%s\n",
              CsvField.of(report.input().file().path()),
              plan.strategy(),
              plan.assignment().cost(),
              report.lowerBoundCost(),
              report.isOptimal(plan),
              Numbers.seconds(plan.seconds()),
              search,
              CsvField.of(bankBytes(plan, report))));
    }
  }

  /** {@return the bytes of each bank, such as {@code sram=1024 dram=0}} */
  private static String bankBytes(BankPlan plan, BankReport report) {
    long[] bytes = plan.assignment().bankBytes();
    return IntStream.range(0, bytes.length)
        .mapToObj(bank -> report.problem().banks().get(bank).name() + "=" + bytes[bank])
        .collect(Collectors.joining(" "));
  }
}
