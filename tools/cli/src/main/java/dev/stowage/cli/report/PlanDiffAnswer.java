package dev.stowage.cli.report;

import dev.stowage.cli.diff.Change;
import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.TensorDiff;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.report.ChangeTables.Row;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.PlanDrawing;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The tensors in which two plans differ. */
public final class PlanDiffAnswer {

  private final PlanDiff diff;
  private final Answer answer = new Answer();

  /** A row of the figures of both plans. */
  private record FigureRow(String name, long a, long b, boolean isBytes) {

    Figure growth() {
      return isBytes ? Figure.growth(b - a) : Figure.text(DifferenceText.signed(b - a));
    }

    Figure figure(long number) {
      return isBytes ? Figure.bytes(number) : Figure.count(number);
    }
  }

  private PlanDiffAnswer(PlanDiff diff) {
    this.diff = diff;
  }

  /** {@return the answer, whose first sentences for people are the conclusion} */
  public static Answer of(PlanDiff diff, Conclusion conclusion) {
    PlanDiffAnswer made = new PlanDiffAnswer(diff);
    made.answer.titled(diff.title()).conclusion("", conclusion);
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
    answer.picture(this::addDrawings);
    if (diff.isNone()) {
      return;
    }
    answer.table(
        Table.shown(
                List.of(
                    row("arena", ComparedPlan::arenaBytes),
                    row("lower bound", ComparedPlan::boundBytes),
                    row("unshared", ComparedPlan::naiveBytes),
                    new FigureRow(
                        "tensors", diff.a().records().size(), diff.b().records().size(), false)))
            .text("", "FIGURES", FigureRow::name)
            .shown("growth", FigureRow::growth)
            .shown("A", row -> row.figure(row.a))
            .shown("B", row -> row.figure(row.b)));
  }

  private void addSide(String name, ComparedPlan plan) {
    String plans =
        plan.strategy().equals(ComparedPlan.AS_WRITTEN) ? " as written" : " by " + plan.strategy();
    answer.legend(
        name,
        Text.of(
            "%s: arena of %s%s",
            Printable.of(plan.path()),
            ByteUnit.exact(plan.arenaBytes()),
            plan.input().micro().isPresent()
                ? " (kTensorArenaSize)"
                : plans + (plan.isOptimal() ? ", proved optimal" : "")));
  }

  /** Adds drawings with marks on the tensors that the other plan does not have as large. */
  private void addDrawings(FiguresPage page) {
    page.addHeading("Both plans, with the same scale of bytes");
    addDrawing("A", diff.a(), diff.b(), TensorDiff::a, page);
    addDrawing("B", diff.b(), diff.a(), TensorDiff::b, page);
  }

  private void addDrawing(
      String name,
      ComparedPlan plan,
      ComparedPlan other,
      Function<TensorDiff, Optional<TensorDiff.Side>> side,
      FiguresPage page) {
    BitSet changed = new BitSet();
    diff.tensors().stream()
        .filter(tensor -> tensor.growthBytes() != 0)
        .flatMap(tensor -> side.apply(tensor).stream())
        .forEach(known -> changed.set(known.index()));
    PlanInput.Tensors input = plan.input();
    String title = name + ": " + DifferenceText.name(plan.path(), other.path());
    PlanPicture picture =
        new PlanPicture(
            title,
            input.file().tasks(),
            input.labels(),
            input.problem(),
            List.of(
                ShownPlan.of(plan.strategy(), plan.plan(), plan.boundBytes(), plan.isOptimal())),
            0);
    page.addDrawing(
        title,
        PlanDrawing.marked(picture, changed, "new, gone or of another size", other.arenaBytes()));
  }

  private FigureRow row(String name, ToLongFunction<ComparedPlan> figure) {
    return new FigureRow(name, figure.applyAsLong(diff.a()), figure.applyAsLong(diff.b()), true);
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
    return new ChangeTables<TensorDiff>(
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
                    ""))
        .onPage("former name", tensor -> Figure.text(tensor.formerName()))
        .onPage("live in A", tensor -> Figure.text(tasks(diff.a(), tensor.a())))
        .onPage("live in B", tensor -> Figure.text(tasks(diff.b(), tensor.b())));
  }

  private static String tasks(ComparedPlan plan, Optional<TensorDiff.Side> side) {
    if (side.isEmpty()) {
      return "";
    }
    long first = side.get().firstTask();
    long last = side.get().lastTask();
    String from = plan.input().file().cell(first);
    return first == last ? from : from + " to " + plan.input().file().cell(last);
  }
}
