package dev.stowage.cli.report;

import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.verify.VerifiedRun;
import dev.stowage.cli.verify.VerifiedRun.Output;
import dev.stowage.cli.verify.VerifyResult;
import dev.stowage.pages.label.TypedShape;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.Optional;

/** A model that ran in planned memory, and its outputs. */
public final class VerifyAnswer {

  private final VerifyResult result;
  private final VerifiedRun run;
  private final Optional<OrderComparison> reordered;

  private VerifyAnswer(VerifyResult result) {
    this.result = result;
    run = result.run();
    reordered = result.order().filter(OrderComparison::isReordered);
  }

  public static Answer of(VerifyResult result) {
    VerifyAnswer made = new VerifyAnswer(result);
    Answer answer =
        new Answer()
            .line(
                "%s%s: %s",
                Printable.of(result.input()),
                result.shape().map(shape -> " at " + Printable.of(shape.toString())).orElse(""),
                made.verdict())
            .line(
                "%s, %s in one arena.",
                Numbers.count(result.operatorCount(), "operator"),
                Numbers.count(result.arena().recordCount(), "tensor"))
            .field("input", result.input());
    result.shape().ifPresent(shape -> answer.field("shape", RangeAnswer.shape(shape)));
    return answer
        .field("operators", result.operatorCount())
        .field("records", result.arena().recordCount())
        .field("strategy", result.arena().strategy())
        .field("naive_bytes", result.arena().naiveBytes())
        .field("lower_bound_bytes", result.arena().lowerBoundBytes())
        .field("planned_bytes", made.run.plannedBytes())
        .field("engine_peak_bytes", Figure.bytes(made.run.engineBytes()))
        .all(made.order())
        .field("reordered_engine_peak_bytes", Figure.bytes(made.run.reorderedEngineBytes()))
        .field("seed", made.run.seed())
        .facts(made.memory())
        .table(made.outputs());
  }

  private Answer order() {
    Answer answer = new Answer();
    result
        .order()
        .ifPresent(order ->
            answer
                .field("reordered", order.isReordered())
                .field("file_order_bytes", order.before().bytes())
                .field("load_before", order.before().load())
                .field("load_after", order.after().load()));
    return answer;
  }

  private Facts memory() {
    Facts facts =
        new Facts("MEMORY", "bytes", "")
            .bytes("", "unshared", result.arena().naiveBytes())
            .bytes("", "ONNX Runtime's own peak", run.engineBytes())
            .bytes("", "ONNX Runtime's own peak, reordered", run.reorderedEngineBytes());
    reordered.ifPresent(
        it -> facts.bytes("", "planned in the order of the file", it.before().bytes()));
    return facts
        .bytes(
            "",
            "planned by "
                + result.arena().strategy()
                + (reordered.isPresent() ? ", reordered" : ""),
            run.plannedBytes())
        .bytes("", "lower bound", result.arena().lowerBoundBytes());
  }

  private Table<Output> outputs() {
    return Table.named("outputs", run.outputs())
        .text("name", "OUTPUT", Output::name)
        .text("", "shape", output -> output.shape().map(TypedShape::toString).orElse(""))
        .count("elements", "elements", Output::elementCount)
        .text("", "bits", output -> output.isBitIdentical() ? "identical" : "DIFFERENT")
        .data("bit_identical", output -> new Figure.Flag(output.isBitIdentical()))
        .data("max_abs_difference", output -> new Figure.Decimal(output.maxAbsDifference()))
        .text("", "difference", output -> difference(output.maxAbsDifference()))
        .data(
            "optimized_max_abs_difference",
            output -> new Figure.Decimal(output.optimizedMaxAbsDifference()))
        .text("", "if optimized", output -> difference(output.optimizedMaxAbsDifference()))
        .data("shape", output -> Figure.of(output.shape(), Labels::dimensions))
        .data("type", output -> Figure.text(output.shape().map(TypedShape::elementType)));
  }

  private static String difference(double difference) {
    if (difference == 0) {
      return "0";
    }
    return difference == Double.MAX_VALUE ? "no number" : Text.of("%.1e", difference);
  }

  private String verdict() {
    if (result.isPlanEmpty() && run.isIdentical()) {
      return "Nothing was planned, so nothing ran in planned memory. All outputs are identical to ONNX Runtime's.";
    }
    long different = run.outputs().stream().filter(output -> !output.isBitIdentical()).count();
    String compared =
        different == 0
            ? "All outputs in planned memory"
                + (reordered.isPresent() ? ", in both orders," : "")
                + " are identical to ONNX Runtime's, bit for bit"
            : (different == 1 ? "1 output differs" : Numbers.grouped(different) + " outputs differ")
                + " in planned memory from ONNX Runtime's";
    return Text.of(compared + ", with inputs of seed %d.", run.seed());
  }
}
