package dev.stowage.cli.report;

import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.rewrite.OnnxRewrite;
import dev.stowage.cli.rewrite.RewriteReport;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;

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
    return Text.of(
        "%s has a plan%s and needs kTensorArenaSize = %d, %s.%s",
        output,
        report.order().isChanged() ? " and a new order of operators" : "",
        after,
        before == after ? "as the original" : change(before, after),
        report.arena().isOptimal() && after <= before
            ? " No plan has a smaller head (proved)."
            : "");
  }

  private static String change(long before, long after) {
    return Text.of(
        "%s %s than the original%s",
        ByteUnit.sentence(Math.abs(before - after)),
        before > after ? "less" : "more",
        DifferenceText.percent(after - before, before));
  }

  /** {@return the answer for a copy of an ONNX model} */
  public static Answer of(OnnxRewrite rewrite, String output) {
    OrderComparison order = rewrite.order();
    return new Answer()
        .line("%s", verdict(order, Printable.of(output)))
        .field("input", rewrite.input())
        .field("output", output)
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
                    "",
                    rewrite.input(),
                    order.before().bytes(),
                    Figure.bytes(order.before().load()))
                .bytes("", output, order.after().bytes(), Figure.bytes(order.after().load()))
                .bytes("", "lower bound", order.lowerBoundBytes()));
  }

  private static String verdict(OrderComparison order, String output) {
    if (!order.isReordered()) {
      return output
          + " is a copy of the model, because no better order of its operators was found.";
    }
    long before = order.before().bytes();
    return Text.of(
        "%s has its operators in another order, with an arena of %s, %s less.%s",
        output,
        ByteUnit.sentence(order.after().bytes()),
        Numbers.percent(before - order.after().bytes(), before),
        order.isOptimal() ? " No plan of any order needs less (proved)." : "");
  }
}
