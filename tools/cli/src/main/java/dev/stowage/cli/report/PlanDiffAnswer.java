package dev.stowage.cli.report;

import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.TensorDiff;
import dev.stowage.cli.diff.TensorPairs;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.report.ChangeTable.Row;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.Page;
import dev.stowage.pages.PlanDrawing;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tensors in which two plans differ. */
public final class PlanDiffAnswer {

  private final PlanDiff diff;

  private PlanDiffAnswer(PlanDiff diff) {
    this.diff = diff;
  }

  /**
   * {@return the answer}
   *
   * @param options the options for plans, as words of a command line
   */
  public static Answer of(PlanDiff diff, List<String> options) {
    PlanDiffAnswer made = new PlanDiffAnswer(diff);
    ComparedPlan a = diff.a();
    ComparedPlan b = diff.b();
    Answer answer =
        new Answer()
            .titled(DifferenceText.title(a.path(), b.path()))
            .conclusion("", made.conclusion(options))
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
            .table(
                Table.named("tensors", diff.tensors())
                    .text("name", Table.HIDDEN, TensorDiff::name)
                    .data("former_name", tensor -> Figure.text(tensor.formerName()))
                    .text("change", Table.HIDDEN, tensor -> tensor.change().key())
                    .count("bytes_a", Table.HIDDEN, TensorDiff::bytesA)
                    .count("bytes_b", Table.HIDDEN, TensorDiff::bytesB)
                    .count("tasks_a", Table.HIDDEN, TensorDiff::tasksA)
                    .count("tasks_b", Table.HIDDEN, TensorDiff::tasksB)
                    .count("peak_growth_bytes", Table.HIDDEN, TensorDiff::peakGrowthBytes))
            .line("A: %s", side(a))
            .line("B: %s", side(b))
            .picture(made::addDrawings);
    ChangeTable.addTo(
        answer, "tasks", "tensor", diff.tensors().stream().map(PlanDiffAnswer::row).toList());
    return answer;
  }

  private Conclusion conclusion(List<String> options) {
    return new Conclusion(
        DifferenceText.figure(diff.growthBytes()),
        diff.sentence(),
        diff.a().isOptimal() && diff.b().isOptimal()
            ? "Proved: no plan of A or of B is smaller."
            : quality("A", diff.a()) + " " + quality("B", diff.b()),
        diff.isNone()
            ? Optional.empty()
            : Optional.of(ShellLine.of("plan", diff.b().path(), options, "--explain")));
  }

  private static String quality(String name, ComparedPlan plan) {
    return Text.of(
        "The arena of %s is %s.",
        name, PlanAnswer.quality(plan.isOptimal(), plan.plan().totalBytes(), plan.boundBytes()));
  }

  private static String side(ComparedPlan plan) {
    return Text.of(
        "%s: arena of %s (%s)",
        Printable.of(plan.path()),
        ByteUnit.exact(plan.arenaBytes()),
        plan.input().micro().isPresent() ? "kTensorArenaSize" : plan.strategy());
  }

  /** Adds drawings with marks on the tensors that the other plan does not have as large. */
  private void addDrawings(Page page) {
    page.addHeading("Both plans, with the same scale of bytes");
    addDrawing("A", diff.a(), diff.b(), TensorDiff::a, page);
    addDrawing("B", diff.b(), diff.a(), TensorDiff::b, page);
  }

  private void addDrawing(
      String name,
      ComparedPlan plan,
      ComparedPlan other,
      Function<TensorDiff, Optional<TensorPairs.Tensor>> side,
      Page page) {
    Set<TensorPairs.Tensor> differing =
        diff.tensors().stream()
            .filter(tensor -> tensor.growthBytes() != 0)
            .flatMap(tensor -> side.apply(tensor).stream())
            .collect(Collectors.toSet());
    List<TensorPairs.Tensor> records = plan.records();
    BitSet changed = new BitSet();
    IntStream.range(0, records.size())
        .filter(i -> differing.contains(records.get(i)))
        .forEach(changed::set);
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

  private static Row row(TensorDiff tensor) {
    return Row.of(
        tensor.change(),
        tensor.name(),
        tensor.bytesA(),
        tensor.bytesB(),
        tensor.tasksA(),
        tensor.tasksB());
  }
}
