package dev.stowage.cli.report;

import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.rewrite.OnnxRewriteReport;
import dev.stowage.cli.rewrite.RewriteReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.Locale;

/** A rewritten model and its memory. */
public final class RewriteAnswer {

  private RewriteAnswer() {}

  /** {@return the answer for a copy with a plan} */
  public static Answer of(RewriteReport report) {
    RewriteReport.Arena arena = report.arena();
    Answer answer =
        new Answer()
            .line("%s", verdict(report))
            .field("input", report.input())
            .field("output", report.output())
            .field("plan_written", report.action() == RewriteReport.Action.PLAN_WRITTEN)
            .field("file_bytes", arena.fileBytes())
            .field("planned_bytes", arena.plannedBytes())
            .field("head_bytes", arena.headBytes())
            .field("lower_bound_bytes", arena.lowerBoundBytes())
            .field("optimal", arena.isOptimal())
            .field("reordered", report.order().isChanged())
            .field("load_before", report.order().loadBefore())
            .field("load_after", report.order().loadAfter())
            .field("variable_bytes", arena.variableBytes())
            .facts(
                new Facts("ARENA of TFLM", "bytes", "", "head", "tail", "file")
                    .bytes(
                        "",
                        report.input(),
                        report.before().size().arenaBytes(),
                        figures(report.before()))
                    .bytes(
                        "",
                        report.output(),
                        report.after().size().arenaBytes(),
                        figures(report.after())));
    addCopy("before", report.before(), answer);
    addCopy("after", report.after(), answer);
    if (report.action() == RewriteReport.Action.PLAN_WRITTEN) {
      MicroAnswer.usedPlan(report.before().size(), report.after().size())
          .ifPresent(line -> answer.line("%n%s", line));
    }
    return answer;
  }

  private static Figure[] figures(RewriteReport.Copy copy) {
    return new Figure[] {
      Figure.count(copy.size().headBytes()),
      Figure.count(copy.size().tailBytes()),
      Figure.count(copy.fileBytes())
    };
  }

  private static void addCopy(String name, RewriteReport.Copy copy, Answer answer) {
    answer.group("arena_" + name, group -> MicroAnswer.addSize(copy.size(), group));
    answer.field("file_size_" + name, copy.fileBytes());
  }

  private static String verdict(RewriteReport report) {
    String output = Printable.of(report.output());
    if (report.action() == RewriteReport.Action.COPIED) {
      return output + " is a copy of the model, without changes.";
    }
    RewriteReport.Arena arena = report.arena();
    long before = report.before().size().arenaBytes();
    long after = report.after().size().arenaBytes();
    String needs =
        before > after
            ? String.format(
                Locale.ROOT,
                " and needs kTensorArenaSize = %d, %s less (%s)",
                after,
                ByteUnit.sentence(before - after),
                Numbers.percent(before - after, before))
            : before == after
                ? String.format(
                    Locale.ROOT,
                    ", which saves nothing: it needs kTensorArenaSize = %d, as the original",
                    after)
                : String.format(
                    Locale.ROOT,
                    " and needs kTensorArenaSize = %d, %s more than the original",
                    after,
                    ByteUnit.sentence(after - before));
    String order = report.order().isChanged() ? " and a new order of operators" : "";
    String plans = report.order().isChanged() ? "plan of any order of the operators" : "plan";
    return output
        + " has a plan"
        + order
        + needs
        + "."
        + (arena.isOptimal() && after <= before
            ? " No " + plans + " has a smaller head (proved)."
            : "");
  }

  /** {@return the answer for an ONNX model} */
  public static Answer of(OnnxRewriteReport report) {
    OrderComparison order = report.order();
    return new Answer()
        .line("%s", verdict(report))
        .field("input", report.input())
        .field("output", report.output())
        .field("file_bytes", order.before().bytes())
        .field("planned_bytes", order.after().bytes())
        .field("head_bytes", order.after().bytes())
        .field("lower_bound_bytes", order.lowerBoundBytes())
        .field("optimal", order.isOptimal())
        .field("reordered", order.isReordered())
        .field("load_before", order.before().load())
        .field("load_after", order.after().load())
        .facts(
            new Facts("TENSOR ARENA", "bytes", "", "load")
                .bytes(
                    "", report.input(), order.before().bytes(), Figure.bytes(order.before().load()))
                .bytes(
                    "", report.output(), order.after().bytes(), Figure.bytes(order.after().load()))
                .bytes("", "lower bound", order.lowerBoundBytes()));
  }

  private static String verdict(OnnxRewriteReport report) {
    OrderComparison order = report.order();
    String output = Printable.of(report.output());
    if (!order.isReordered()) {
      return output + " is a copy of the model, without changes.";
    }
    return output
        + " has its operators in another order, whose arena of "
        + ByteUnit.sentence(order.after().bytes())
        + " is "
        + Numbers.percent(order.before().bytes() - order.after().bytes(), order.before().bytes())
        + " smaller."
        + (order.isOptimal() ? " No plan of any order needs less (proved)." : "");
  }
}
