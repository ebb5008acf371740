package dev.stowage.cli.report;

import dev.stowage.cli.input.ModelLabels;
import dev.stowage.cli.input.TensorShape;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.cli.verify.VerifyResult;
import dev.stowage.onnx.VerificationReport;
import dev.stowage.onnx.VerificationReport.Output;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Optional;

/** Verified models as tables. */
final class VerifyTable implements ReportFormat<VerifyResult> {

  @Override
  public void print(VerifyResult result, Writer out) throws IOException {
    VerificationReport report = result.report();
    out.write(
        String.format(
            Locale.ROOT,
            "%s%s: %s, %s in one arena%n%n",
            Printable.of(result.input()),
            result.shape().map(shape -> " at " + Printable.of(shape.toString())).orElse(""),
            Numbers.count(result.operatorCount(), "operator"),
            Numbers.count(result.recordCount(), "tensor")));
    TextTable memory = new TextTable();
    memory.row("MEMORY", "bytes", "");
    row(memory, "  unshared", result.naiveBytes());
    report.enginePeakBytes().ifPresent(bytes -> row(memory, "  ONNX Runtime's own peak", bytes));
    report
        .reorderedPeakBytes()
        .ifPresent(bytes -> row(memory, "  ONNX Runtime's own peak, reordered", bytes));
    Optional<OrderComparison> order = result.order().filter(OrderComparison::isReordered);
    order.ifPresent(it -> row(memory, "  planned in the order of the file", it.bytesBefore()));
    row(
        memory,
        "  planned by " + result.strategy() + (order.isPresent() ? ", reordered" : ""),
        report.plannedBytes());
    row(memory, "  lower bound", result.lowerBoundBytes());
    memory.print(out);
    out.write("\n");
    TextTable outputs = new TextTable();
    outputs.row("OUTPUT", "shape", "elements", "bits", "difference", "if optimized");
    for (Output output : report.outputs()) {
      outputs.row(
          "  " + Printable.of(output.name()),
          output.type().map(ModelLabels::shape).map(TensorShape::toString).orElse(""),
          Numbers.grouped(output.elementCount()),
          output.isBitIdentical() ? "identical" : "DIFFERENT",
          difference(output.maxAbsDifference()),
          difference(output.optimizedMaxAbsDifference()));
    }
    outputs.print(out);
    out.write(String.format(Locale.ROOT, "%n%s%n", verdict(result)));
  }

  private static String verdict(VerifyResult result) {
    VerificationReport report = result.report();
    if (result.isPlanEmpty() && report.isIdentical()) {
      return "Nothing was planned, so nothing ran in planned memory. All outputs are identical to ONNX Runtime's.";
    }
    long different = report.outputs().stream().filter(output -> !output.isBitIdentical()).count();
    String inputs = "inputs of seed " + report.seed();
    String orders =
        result.order().filter(OrderComparison::isReordered).isPresent() ? " in both orders" : "";
    return different == 0
        ? String.format(
            Locale.ROOT,
            "With %s, all outputs%s are identical to ONNX Runtime's, bit for bit.",
            inputs,
            orders)
        : String.format(
            Locale.ROOT,
            "With %s, %s from ONNX Runtime's.",
            inputs,
            different == 1 ? "1 output differs" : Numbers.grouped(different) + " outputs differ");
  }

  private static void row(TextTable table, String name, long bytes) {
    table.row(name, Numbers.grouped(bytes), ByteUnit.human(bytes));
  }

  private static String difference(double difference) {
    if (difference == 0) {
      return "0";
    }
    return difference == Double.MAX_VALUE
        ? "no number"
        : String.format(Locale.ROOT, "%.1e", difference);
  }
}
