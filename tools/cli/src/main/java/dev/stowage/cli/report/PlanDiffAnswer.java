package dev.stowage.cli.report;

import dev.stowage.cli.diff.Change;
import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.TensorDiff;
import dev.stowage.cli.report.ChangeTables.Row;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** The tensors in which two plans differ. */
public final class PlanDiffAnswer {

  private final PlanDiff diff;
  private final Answer answer = new Answer();

  /** A row of the figures of both plans. */
  private record FigureRow(String name, long a, long b) {}

  private PlanDiffAnswer(PlanDiff diff) {
    this.diff = diff;
  }

  /** {@return the answer, whose first sentences for people are the conclusion} */
  public static Answer of(PlanDiff diff, Conclusion conclusion) {
    PlanDiffAnswer made = new PlanDiffAnswer(diff);
    made.answer.conclusion("", conclusion);
    made.addFigures();
    made.addLines();
    made.addChanges();
    return made.answer;
  }

  private void addFigures() {
    ComparedPlan a = diff.a();
    ComparedPlan b = diff.b();
    answer
        .field("kind", "plan")
        .field("input_a", a.path())
        .field("input_b", b.path())
        .field("strategy_a", a.strategy())
        .field("strategy_b", b.strategy())
        .field("bytes_a", a.arenaBytes())
        .field("bytes_b", b.arenaBytes())
        .field("growth_bytes", diff.growthBytes())
        .field("lower_bound_bytes_a", a.boundBytes())
        .field("lower_bound_bytes_b", b.boundBytes())
        .field("optimal_a", a.isOptimal())
        .field("optimal_b", b.isOptimal())
        .field("naive_bytes_a", a.naiveBytes())
        .field("naive_bytes_b", b.naiveBytes())
        .field("peak_task_a", Figure.orNull(diff.peakA()))
        .field("peak_task_b", Figure.orNull(diff.peakB()))
        .table(
            Table.named("tensors", diff.tensors())
                .text("name", Table.HIDDEN, TensorDiff::name)
                .data("former_name", tensor -> Figure.text(tensor.formerName()))
                .text("change", Table.HIDDEN, tensor -> tensor.change().key())
                .count("bytes_a", Table.HIDDEN, TensorDiff::bytesA)
                .count("bytes_b", Table.HIDDEN, TensorDiff::bytesB)
                .count("tasks_a", Table.HIDDEN, TensorDiff::tasksA)
                .count("tasks_b", Table.HIDDEN, TensorDiff::tasksB)
                .count("peak_bytes_a", Table.HIDDEN, TensorDiff::peakBytesA)
                .count("peak_bytes_b", Table.HIDDEN, TensorDiff::peakBytesB));
  }

  private void addLines() {
    addSide("A", diff.a());
    addSide("B", diff.b());
    if (diff.isNone()) {
      return;
    }
    answer.table(
        Table.shown(
                List.of(
                    row("arena", ComparedPlan::arenaBytes),
                    row("lower bound", ComparedPlan::boundBytes),
                    row("unshared", ComparedPlan::naiveBytes),
                    row("tensors", plan -> plan.records().size())))
            .text("", "FIGURES", FigureRow::name)
            .text("", "growth", row -> DifferenceText.signed(row.b - row.a))
            .count("", "A", FigureRow::a)
            .count("", "B", FigureRow::b));
  }

  private void addSide(String name, ComparedPlan plan) {
    String plans =
        plan.strategy().equals(ComparedPlan.AS_WRITTEN) ? " as written" : " by " + plan.strategy();
    answer.line(
        "%s: %s: arena of %s%s",
        name,
        Printable.of(plan.path()),
        ByteUnit.exact(plan.arenaBytes()),
        plan.input().micro().isPresent()
            ? " (kTensorArenaSize)"
            : plans + (plan.isOptimal() ? ", proved optimal" : ""));
  }

  private FigureRow row(String name, ToLongFunction<ComparedPlan> figure) {
    return new FigureRow(name, figure.applyAsLong(diff.a()), figure.applyAsLong(diff.b()));
  }

  private void addChanges() {
    if (diff.isNone()) {
      return;
    }
    List<TensorDiff> atPeaks = diff.atPeaks();
    if (!atPeaks.isEmpty()) {
      answer.line("%nThe most bytes are live at %s.", peaks());
      table(TensorDiff::peakBytesA, TensorDiff::peakBytesB).add("AT THE PEAKS", atPeaks);
    }
    ChangeTables<TensorDiff> tables = table(TensorDiff::bytesA, TensorDiff::bytesB);
    for (Change change : Change.values()) {
      if (change != Change.SAME) {
        tables.add(change.title(), diff.with(change));
      }
    }
    List<TensorDiff> same = diff.with(Change.SAME);
    if (!same.isEmpty()) {
      answer.line(
          "%nWithout change: %s of %s",
          Numbers.count(same.size(), "tensor"),
          ByteUnit.exact(same.stream().mapToLong(TensorDiff::bytesB).sum()));
    }
  }

  private String peaks() {
    return peak(diff.a(), diff.peakA()) + " of A and " + peak(diff.b(), diff.peakB()) + " of B";
  }

  private static String peak(ComparedPlan plan, OptionalLong task) {
    return task.isPresent() ? plan.input().file().nameOf(task.getAsLong()) : "no task";
  }

  private ChangeTables<TensorDiff> table(
      ToLongFunction<TensorDiff> bytesA, ToLongFunction<TensorDiff> bytesB) {
    return new ChangeTables<>(
        answer,
        "tasks",
        "tensor",
        tensor ->
            new Row(
                bytesA.applyAsLong(tensor),
                bytesB.applyAsLong(tensor),
                Row.change(tensor.tasksA(), tensor.tasksB()),
                tensor.name()),
        others ->
            new Row(
                others.stream().mapToLong(bytesA).sum(),
                others.stream().mapToLong(bytesB).sum(),
                "",
                ""));
  }
}
