package dev.stowage.cli.report;

import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.rewrite.OnnxRewriteReport;
import dev.stowage.cli.rewrite.RewriteReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;

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
            .field("plan_written", report.isPlanWritten())
            .field("file_bytes", arena.fileBytes())
            .field("planned_bytes", arena.plannedBytes())
            .field("head_bytes", arena.headBytes())
            .field("lower_bound_bytes", arena.lowerBoundBytes())
            .field("optimal", arena.isOptimal())
            .field("reordered", report.order().isChanged())
            .field("load_before", report.order().loadBefore())
            .field("load_after", report.order().loadAfter())
            .field("variable_bytes", arena.variableBytes());
    Facts arenas = MicroAnswer.arenas("file");
    addCopy("before", report.input(), report.before(), answer, arenas);
    addCopy("after", report.output(), report.after(), answer, arenas);
    answer.facts(arenas);
    if (report.isPlanWritten()) {
      MicroAnswer.usedPlan(report.before().size(), report.after().size())
          .ifPresent(line -> answer.line("%n%s", line));
    }
    return answer;
  }

  private static void addCopy(
      String name, String file, RewriteReport.Copy copy, Answer answer, Facts arenas) {
    answer.group("arena_" + name, group -> MicroAnswer.addSize(copy.size(), group));
    answer.field("file_size_" + name, copy.fileBytes());
    MicroAnswer.addRow(arenas, file, copy.size(), Figure.count(copy.fileBytes()));
  }

  private static String verdict(RewriteReport report) {
    String output = Printable.of(report.output());
    if (!report.isPlanWritten()) {
      return output + " is a copy of the model, without changes.";
    }
    long before = report.before().size().arenaBytes();
    long after = report.after().size().arenaBytes();
    String saving =
        before > after
            ? " less (" + Numbers.percent(before - after, before) + ")"
            : " more than the original";
    boolean isReordered = report.order().isChanged();
    return output
        + " has a plan"
        + (isReordered ? " and a new order of operators" : "")
        + (before == after ? ", which saves nothing: it" : " and")
        + " needs kTensorArenaSize = "
        + after
        + ", "
        + (before == after
            ? "as the original"
            : ByteUnit.sentence(Math.abs(before - after)) + saving)
        + "."
        + (report.arena().isOptimal() && after <= before
            ? (isReordered ? " No plan of any order of the operators" : " No plan")
                + " has a smaller head (proved)."
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
      return output
          + " is a copy of the model, because no better order of its operators was found.";
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
