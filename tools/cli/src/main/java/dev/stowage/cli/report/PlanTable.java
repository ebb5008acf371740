package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Plans as a table: one report in detail, the best plan first, or several side by side. */
final class PlanTable implements PlanFormat {

  @Override
  public boolean comparesFiles(int fileCount) {
    return fileCount > 1;
  }

  @Override
  public void print(List<PlanReport> reports, Writer out) throws IOException {
    List<PlanReport> compared =
        reports.stream().filter(report -> report.input() instanceof PlanInput.Tensors).toList();
    if (compared.size() > 1) {
      new ComparisonTable(compared).print(out);
    }
    for (PlanReport report : reports) {
      if (compared.size() == 1 || !compared.contains(report)) {
        print(report, out);
      } else {
        printExplanation(report, out);
      }
    }
  }

  private static void printExplanation(PlanReport report, Writer out) throws IOException {
    if (report.explanation().isPresent() && report.input() instanceof PlanInput.Tensors tensors) {
      String file = Printable.of(report.input().file().path()) + ": ";
      ExplanationTable.print(report.explanation().get(), tensors, file, out);
    }
  }

  private static void print(PlanReport report, Writer out) throws IOException {
    switch (report.input()) {
      case PlanInput.Tensors tensors -> printTensors(report, tensors, out);
      case PlanInput.Textures textures -> printTextures(report, textures, out);
    }
  }

  private static void printTensors(PlanReport report, PlanInput.Tensors input, Writer out)
      throws IOException {
    long naiveBytes = input.problem().naiveBytes();
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s over %s, %s if nothing is shared%n",
            Printable.of(input.file().path()),
            Numbers.count(input.labels().size(), "tensor"),
            Numbers.count(input.file().operatorCount(), "task"),
            ByteUnit.human(naiveBytes)));
    if (input.labels().isEmpty()) {
      return;
    }
    TextTable table = new TextTable();
    if (!report.offsetsPlans().isEmpty()) {
      table.row("");
      table.row("OFFSETS in one arena", "bytes", "", "over bound");
      report.shownOffsetsPlans().stream()
          .sorted(Comparator.comparingLong(Plan.Offsets::totalBytes))
          .forEach(plan -> row(table, plan, plan.totalBytes(), report.offsetsBoundBytes()));
      boundRow(table, report.offsetsBoundBytes());
    }
    if (!report.objectsPlans().isEmpty()) {
      table.row("");
      table.row("SHARED OBJECTS", "bytes", "", "over bound", "objects");
      report.objectsPlans().stream()
          .sorted(Comparator.comparingLong(Plan.Objects::totalBytes))
          .forEach(plan ->
              row(
                  table,
                  plan,
                  plan.totalBytes(),
                  report.objectsBoundBytes(),
                  Numbers.grouped(plan.assignment().objectCount())));
      boundRow(table, report.objectsBoundBytes());
    }
    report.micro().ifPresent(micro -> MicroTable.addTo(table, report, micro));
    report.order().ifPresent(order -> orderRows(table, order));
    table.print(out);
    printBest(report, input.problem(), out);
    for (String sentence : SearchSentences.of(report)) {
      out.write(sentence + "\n");
    }
    if (report.explanation().isPresent()) {
      ExplanationTable.print(report.explanation().get(), input, "", out);
    }
  }

  private static void orderRows(TextTable table, OrderComparison order) {
    table.row("");
    table.row("ORDER OF OPERATORS", "bytes", "", "", "load");
    orderRow(table, "  of the file", order.before().bytes(), "", order.before().load());
    orderRow(
        table,
        order.isReordered() ? "  best found" : "  best found: that of the file",
        order.after().bytes(),
        order.isOptimal() ? "optimal" : above(order.after().bytes(), order.lowerBoundBytes()),
        order.after().load());
    boundRow(table, order.lowerBoundBytes());
  }

  private static void orderRow(
      TextTable table, String name, long bytes, String quality, long loadBytes) {
    table.row(
        name, Numbers.grouped(bytes), ByteUnit.human(bytes), quality, Numbers.grouped(loadBytes));
  }

  private static void row(TextTable table, Plan plan, long bytes, long boundBytes, String... more) {
    String[] cells = new String[4 + more.length];
    cells[0] = "  " + plan.strategy();
    cells[1] = Numbers.grouped(bytes);
    cells[2] = ByteUnit.human(bytes);
    cells[3] = plan.isOptimal() ? "optimal" : above(bytes, boundBytes);
    System.arraycopy(more, 0, cells, 4, more.length);
    table.row(cells);
  }

  /** {@return the distance from the bound; never "+0.0 %" for a plan above it} */
  private static String above(long bytes, long boundBytes) {
    String percent = Numbers.percent(bytes - boundBytes, boundBytes);
    return bytes > boundBytes && percent.equals("0.0 %") ? "<0.1 %" : "+" + percent;
  }

  private static void boundRow(TextTable table, long bytes) {
    table.row("  lower bound", Numbers.grouped(bytes), ByteUnit.human(bytes));
  }

  private static void printBest(PlanReport report, PlanProblem problem, Writer out)
      throws IOException {
    if (report.bestOffsets().isEmpty() || problem.naiveBytes() == 0) {
      return;
    }
    Plan.Offsets best = report.bestOffsets().orElseThrow();
    long bytes = best.assignment().totalBytes();
    out.write(
        String.format(
            Locale.ROOT,
            "%nBest: one arena of %s by %s, %s%s%s.%n",
            Numbers.count(bytes, "byte"),
            best.strategy(),
            saving(bytes, problem),
            quality(best, report.offsetsBoundBytes()),
            report.isReordered() ? ", in the order of the file" : ""));
  }

  /** {@return the saving; with an alignment or pins, an arena can be larger than all tensors} */
  private static String saving(long bytes, PlanProblem problem) {
    long naiveBytes = problem.naiveBytes();
    if (bytes == naiveBytes) {
      return "as much as unshared";
    }
    if (bytes > naiveBytes) {
      return Numbers.percent(bytes - naiveBytes, naiveBytes)
          + (problem.hasPins()
              ? " more than the sum of its tensors"
              : " more than unshared and unaligned");
    }
    String percent = Numbers.percent(naiveBytes - bytes, naiveBytes);
    // A saving below 100 % is not rounded to 100 %.
    return (bytes > 0 && percent.equals("100.0 %") ? "over 99.9 %" : percent)
        + " less than unshared";
  }

  /** {@return the proved quality of a plan} */
  private static String quality(Plan.Offsets plan, long boundBytes) {
    return plan.isOptimal()
        ? ", proved optimal"
        : String.format(
            Locale.ROOT,
            ", at most %s above the optimum",
            above(plan.totalBytes(), boundBytes).substring(1));
  }

  private static void printTextures(PlanReport report, PlanInput.Textures input, Writer out)
      throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s over %s%n",
            Printable.of(input.file().path()),
            Numbers.count(input.labels().size(), "texture"),
            Numbers.count(input.file().operatorCount(), "task")));
    TextTable table = new TextTable();
    table.row("");
    table.row("SHARED TEXTURES", "texels", "textures");
    report.texturePlans().stream()
        .sorted(Comparator.comparingLong(plan -> plan.assignment().totalTexels()))
        .forEach(plan ->
            table.row(
                "  " + plan.strategy(),
                Numbers.grouped(plan.assignment().totalTexels()),
                Numbers.grouped(plan.assignment().objectExtents().size())));
    table.print(out);
    for (String sentence : SearchSentences.of(report)) {
      out.write(sentence + "\n");
    }
  }
}
