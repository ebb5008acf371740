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
    RewriteReport.Copy before = report.before();
    RewriteReport.Copy after = report.after();
    Answer answer =
        new Answer()
            .line("%s", verdict(report))
            .field("input", before.path())
            .field("output", after.path())
            .field("kernels", MicroAnswer.kernels(report.memory()))
            .field("plan_written", report.isPlanWritten())
            .field("file_bytes", before.headBytes())
            .field("planned_bytes", report.plannedBytes())
            .field("head_bytes", after.headBytes())
            .field("lower_bound_bytes", report.lowerBoundBytes())
            .field("optimal", isOptimal(report))
            .field("reordered", report.isReordered())
            .field("load_before", before.load())
            .field("load_after", after.load());
    Facts arenas = MicroAnswer.arenas("file");
    addCopy("before", before, answer, arenas);
    addCopy("after", after, answer, arenas);
    answer.facts(arenas);
    if (report.isPlanWritten()) {
      MicroAnswer.addUsedPlan(before.size(), after.size(), answer);
    }
    return answer;
  }

  private static boolean isOptimal(RewriteReport report) {
    return report.after().headBytes() == report.lowerBoundBytes();
  }

  private static void addCopy(String name, RewriteReport.Copy copy, Answer answer, Facts arenas) {
    answer.group("arena_" + name, group -> MicroAnswer.addSize(copy.size(), group));
    answer.field("file_size_" + name, copy.fileBytes());
    MicroAnswer.addRow(arenas, copy.path(), copy.size(), Figure.count(copy.fileBytes()));
  }

  private static String verdict(RewriteReport report) {
    String output = Printable.of(report.after().path());
    if (!report.isPlanWritten()) {
      return output + " is a copy of the model, without changes.";
    }
    long before = report.before().size().arenaBytes();
    long after = report.after().size().arenaBytes();
    return Text.of(
        "%s has a plan%s and needs kTensorArenaSize = %d%s, %s.%s",
        output,
        report.isReordered() ? " and a new order of operators" : "",
        after,
        report.memory().withKernels(),
        before == after ? "as the original" : change(before, after),
        isOptimal(report) && after <= before ? " No plan has a smaller head (proved)." : "");
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
