package dev.stowage.cli.report;

import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.onnx.VerificationReport;
import dev.stowage.onnx.VerificationReport.Output;
import dev.stowage.pages.label.TypedShape;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.Optional;

/** A model that ran in planned memory, and its outputs. */
public final class VerifyAnswer {

  private VerifyAnswer() {}

  public static Answer of(VerifyRunner.Result result) {
    VerificationReport report = result.report();
    return new Answer()
        .line("%s: %s", Printable.of(result.input()), verdict(result))
        .line(
            "%s, %s in one arena.",
            Numbers.count(result.operatorCount(), "operator"),
            Numbers.count(result.recordCount(), "tensor"))
        .field("input", result.input())
        .field("operators", result.operatorCount())
        .field("records", result.recordCount())
        .field("strategy", result.strategy())
        .field("naive_bytes", result.naiveBytes())
        .field("lower_bound_bytes", result.lowerBoundBytes())
        .field("planned_bytes", report.plannedBytes())
        .field("engine_peak_bytes", Figure.bytes(report.enginePeakBytes()))
        .field("seed", report.seed())
        .facts(
            new Facts("MEMORY", "bytes", "")
                .bytes("", "unshared", result.naiveBytes())
                .bytes("", "ONNX Runtime's own peak", report.enginePeakBytes())
                .bytes("", "planned by " + result.strategy(), report.plannedBytes())
                .bytes("", "lower bound", result.lowerBoundBytes()))
        .table(
            Table.named("outputs", report.outputs())
                .text("name", "OUTPUT", Output::name)
                .text("", "shape", output -> shape(output).map(TypedShape::toString).orElse(""))
                .count("elements", "elements", Output::elementCount)
                .text("", "bits", output -> output.isBitIdentical() ? "identical" : "DIFFERENT")
                .data("bit_identical", output -> new Figure.Flag(output.isBitIdentical()))
                .data("max_abs_difference", output -> new Figure.Decimal(output.maxAbsDifference()))
                .text("", "difference", output -> difference(output.maxAbsDifference()))
                .data(
                    "optimized_max_abs_difference",
                    output -> new Figure.Decimal(output.optimizedMaxAbsDifference()))
                .data("shape", output -> Figure.of(shape(output), Labels::dimensions))
                .data("type", output -> Figure.text(shape(output).map(TypedShape::elementType))));
  }

  private static Optional<TypedShape> shape(Output output) {
    return output.type().map(type -> new TypedShape(type.shape(), type.elementType()));
  }

  private static String difference(double difference) {
    if (difference == 0) {
      return "0";
    }
    return difference == Double.MAX_VALUE ? "no number" : Text.of("%.1e", difference);
  }

  private static String verdict(VerifyRunner.Result result) {
    VerificationReport report = result.report();
    if (result.recordCount() == 0 && report.isIdentical()) {
      return "Nothing was planned, so nothing ran in planned memory. All outputs are identical to ONNX Runtime's.";
    }
    long different = report.outputs().stream().filter(output -> !output.isBitIdentical()).count();
    String compared =
        different == 0
            ? "All outputs in planned memory are identical to ONNX Runtime's, bit for bit"
            : Text.of(
                "Not identical to ONNX Runtime's: %d of %s in planned memory",
                different, Numbers.count(report.outputs().size(), "output"));
    return Text.of("%s, with inputs of seed %d.", compared, report.seed());
  }
}
