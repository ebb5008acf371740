package dev.stowage.cli.picture;

import dev.stowage.cli.diff.Change;
import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.TensorDiff;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.ComparedDrawings;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The page of two compared plans. */
public final class PlanDiffPage {

  /** The number of tensors with a row of their own; those with the largest differences have one. */
  private static final int MAX_ROWS = 2000;

  private final PlanDiff diff;
  private final FiguresPage page;

  private PlanDiffPage(PlanDiff diff, RunFacts run) {
    this.diff = diff;
    page = new FiguresPage(diff.title(), "difference", "Compared", run);
  }

  public static FiguresPage of(PlanDiff diff, RunFacts run) {
    PlanDiffPage content = new PlanDiffPage(diff, run);
    content.addSummary();
    content.addDrawings();
    content.addPeaks();
    content.addTensors();
    return content.page;
  }

  private void addSummary() {
    page.addText("A: " + Printable.of(diff.a().path()));
    page.addText("B: " + Printable.of(diff.b().path()));
    page.addFigures(
        List.of(
            figure("Arena of A", diff.a()),
            figure("Arena of B", diff.b()),
            new Figure(
                "Growth", DifferenceText.growth(diff.a().arenaBytes(), diff.b().arenaBytes())),
            new Figure(
                "Growth of the lower bound",
                DifferenceText.growth(diff.a().boundBytes(), diff.b().boundBytes()))));
  }

  private static Figure figure(String name, ComparedPlan plan) {
    return new Figure(
        name + ", " + plan.strategy() + (plan.isOptimal() ? ", optimal" : ""),
        ByteUnit.exact(plan.arenaBytes()));
  }

  private void addDrawings() {
    page.addHeading("Both plans, with the same scale of bytes");
    page.add(
        new ComparedDrawings(
            new ComparedDrawings.Drawing(
                "A: " + name(diff.a(), diff.b()), picture(diff.a()), changed(TensorDiff::a)),
            new ComparedDrawings.Drawing(
                "B: " + name(diff.b(), diff.a()), picture(diff.b()), changed(TensorDiff::b)),
            "new, gone or of another size"));
  }

  private static String name(ComparedPlan plan, ComparedPlan other) {
    return DifferenceText.name(plan.path(), other.path());
  }

  private static PlanPicture picture(ComparedPlan plan) {
    PlanInput.Tensors input = plan.input();
    return new PlanPicture(
        Printable.of(plan.path()),
        input.file().tasks(),
        input.labels(),
        input.problem(),
        List.of(ShownPlan.of(plan.strategy(), plan.plan(), plan.boundBytes(), plan.isOptimal())),
        0);
  }

  /** {@return the records of a plan that the other one does not have with the same size} */
  private BitSet changed(Function<TensorDiff, Optional<TensorDiff.Side>> side) {
    BitSet changed = new BitSet();
    diff.tensors().stream()
        .filter(tensor -> tensor.growthBytes() != 0)
        .flatMap(tensor -> side.apply(tensor).stream())
        .forEach(known -> changed.set(known.index()));
    return changed;
  }

  private void addPeaks() {
    List<TensorDiff> atPeaks = diff.atPeaks();
    if (atPeaks.isEmpty()) {
      return;
    }
    page.addHeading("Tensors at the peaks");
    page.addText(
        Text.of(
            "The most bytes are live at %s of A and at %s of B.",
            peak(diff.a(), diff.peakA()), peak(diff.b(), diff.peakB())));
    page.addTable(
        table("Tensors at the peaks", atPeaks, TensorDiff::peakBytesA, TensorDiff::peakBytesB));
  }

  private static String peak(ComparedPlan plan, OptionalLong task) {
    return task.isPresent()
        ? Printable.of(plan.input().file().nameOf(task.getAsLong()))
        : "no task";
  }

  private void addTensors() {
    List<TensorDiff> changed =
        diff.tensors().stream().filter(tensor -> tensor.change() != Change.SAME).toList();
    if (changed.isEmpty()) {
      return;
    }
    page.addHeading("Tensors that changed");
    page.addText(
        Numbers.count(diff.with(Change.SAME).size(), "tensor")
            + " did not change. The upper bar of a tensor has its bytes in A, the lower one those in B.");
    page.addTable(table("Tensors that changed", changed, TensorDiff::bytesA, TensorDiff::bytesB));
  }

  private FigureTable<TensorDiff> table(
      String label,
      List<TensorDiff> tensors,
      ToLongFunction<TensorDiff> bytesA,
      ToLongFunction<TensorDiff> bytesB) {
    double most =
        tensors.stream()
            .mapToDouble(tensor -> Math.max(bytesA.applyAsLong(tensor), bytesB.applyAsLong(tensor)))
            .reduce(1, Math::max);
    FigureTable<TensorDiff> table =
        new FigureTable<TensorDiff>(label)
            .left(
                "Tensor",
                tensor ->
                    Cell.text(tensor.name())
                        .withBars(
                            bytesA.applyAsLong(tensor) / most, bytesB.applyAsLong(tensor) / most))
            .text("Change", PlanDiffPage::change)
            .number(
                "Growth",
                tensor -> Cell.growth(bytesB.applyAsLong(tensor) - bytesA.applyAsLong(tensor)))
            .bytes("Bytes in A", bytesA)
            .bytes("Bytes in B", bytesB)
            .text("Live in A", tensor -> tasks(diff.a(), tensor.a()))
            .text("Live in B", tensor -> tasks(diff.b(), tensor.b()))
            .addAll(tensors.stream().limit(MAX_ROWS).toList());
    if (tensors.size() > MAX_ROWS) {
      List<TensorDiff> others = tensors.subList(MAX_ROWS, tensors.size());
      long a = others.stream().mapToLong(bytesA).sum();
      long b = others.stream().mapToLong(bytesB).sum();
      table.addText(
          List.of(
              Cell.text(Numbers.count(others.size(), "other tensor")),
              Cell.none(),
              Cell.growth(b - a),
              Cell.bytes(a),
              Cell.bytes(b)),
          "");
    }
    return table;
  }

  private static String change(TensorDiff tensor) {
    return tensor.change().text()
        + tensor.formerName().map(former -> ", was " + Printable.of(former)).orElse("");
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
