package dev.stowage.cli.report;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.SearchSentences;
import dev.stowage.pages.PlanMap;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The plans of an input; people see the best plan first. */
public final class PlanAnswer {

  private final PlanReport report;
  private final Answer answer = new Answer();

  private PlanAnswer(PlanReport report) {
    this.report = report;
  }

  /**
   * {@return the answer}
   *
   * @param conclusion the first sentences for people; empty if there is no plan
   * @param capacityBytes the bytes that a plan must fit into; empty if they are not limited
   */
  public static Answer of(
      PlanReport report, Optional<Conclusion> conclusion, OptionalLong capacityBytes) {
    PlanAnswer made = new PlanAnswer(report);
    made.addFirst(conclusion);
    if (report.bestOffsets().isPresent()) {
      made.answer.picture(page -> page.add(new PlanMap(report.picture(capacityBytes))));
    }
    made.addInput();
    Labels.addTasks(report.input().file(), made.answer);
    made.answer
        .table(PlanRecords.of(report.input()))
        .table(PlanRows.json(report))
        .csv(PlanRows.csv(report));
    switch (report.input()) {
      case PlanInput.Tensors tensors -> made.addTensors(tensors);
      case PlanInput.Textures _ -> made.addTextures();
    }
    if (report.isInterrupted()) {
      made.answer.field("interrupted", true);
    }
    return made.answer;
  }

  private void addFirst(Optional<Conclusion> conclusion) {
    InputFile file = report.input().file();
    if (conclusion.isPresent()) {
      answer.conclusion(file.path(), conclusion.get());
    } else {
      answer.line("%s: %s", Printable.of(file.path()), contents());
    }
  }

  /** {@return the contents of the input, such as {@code 5 tensors over 9 tasks, 2.750 KiB …}} */
  private String contents() {
    int count = report.input().labels().size();
    return switch (report.input()) {
      case PlanInput.Tensors tensors ->
          Text.of(
              "%s, %s if nothing is shared",
              Labels.counts(tensors.file(), count, "tensor"),
              ByteUnit.human(tensors.problem().naiveBytes()));
      case PlanInput.Textures textures -> Labels.counts(textures.file(), count, "texture");
    };
  }

  private void addInput() {
    Labels.addFile(report.input().file(), answer);
    if (report.input() instanceof PlanInput.Tensors tensors) {
      answer
          .field("alignment", tensors.problem().alignment())
          .field("naive_bytes", tensors.problem().naiveBytes());
    }
    report
        .bounds()
        .ifPresent(bounds ->
            answer.group(
                "lower_bounds",
                group ->
                    group
                        .field("offsets", bounds.offsetsBytes())
                        .field("objects", bounds.objectsBytes())));
  }

  private void addTensors(PlanInput.Tensors input) {
    addRuntime(input);
    if (!input.labels().isEmpty()) {
      addPlans(
          new Facts("OFFSETS in one arena", "bytes", "", "over bound"),
          report.shownOffsetsPlans(),
          report.offsetsBoundBytes());
      addPlans(
          new Facts("SHARED OBJECTS", "bytes", "", "over bound", "objects"),
          report.objectsPlans(),
          report.objectsBoundBytes());
    }
    addDetails(input);
  }

  /** Adds the memory that the runtime needs in addition to the plans. */
  private void addRuntime(PlanInput.Tensors input) {
    report
        .micro()
        .ifPresent(micro ->
            answer
                .group("tflm", group -> MicroAnswer.addTo(group, micro))
                .line("%nThe head holds %s.", contents()));
    input
        .xla()
        .ifPresent(program ->
            answer
                .line(
                    "The rest of the program needs %s more, such as parameters, results and constants.",
                    ByteUnit.exact(program.otherBytes()))
                .group("xla", group -> group.field("other_bytes", program.otherBytes())));
  }

  private void addDetails(PlanInput.Tensors input) {
    report.ranges().ifPresent(ranges -> RangeAnswer.addTo(answer, report, ranges));
    report.order().ifPresent(order -> answer.group("reorder", group -> addOrder(order, group)));
    addSearch();
    report
        .explanation()
        .ifPresent(explanation -> ExplanationAnswer.addTo(answer, explanation, input, ""));
  }

  /** Adds plans, the smallest first, and their lower bound; nothing if there are no plans. */
  private void addPlans(Facts facts, List<? extends Plan> plans, long boundBytes) {
    if (plans.isEmpty()) {
      return;
    }
    plans.stream()
        .sorted(Comparator.comparingLong(Plan::size))
        .forEach(plan ->
            facts.bytes(
                "",
                plan.name(),
                plan.size(),
                Figure.overBound(report.isOptimal(plan), plan.size(), boundBytes),
                plan instanceof Plan.Objects objects
                    ? Figure.count(objects.assignment().objectCount())
                    : Figure.none()));
    answer.facts(facts.bytes("", "lower bound", boundBytes));
  }

  private static void addOrder(OrderComparison order, Answer answer) {
    OrderComparison.BestOrder best = order.after();
    answer
        .field("reordered", order.isReordered())
        .field("load_before", order.before().load())
        .field("load_after", best.load())
        .facts(
            new Facts("ORDER OF OPERATORS", "bytes", "", "over bound", "load")
                .bytes(
                    "bytes_before",
                    "of the file",
                    order.before().bytes(),
                    Figure.none(),
                    Figure.count(order.before().load()))
                .bytes(
                    "bytes_after",
                    order.isReordered() ? "best found" : "best found: that of the file",
                    best.bytes(),
                    Figure.overBound(order.isOptimal(), best.bytes(), order.lowerBoundBytes()),
                    Figure.count(best.load()))
                .bytes("lower_bound_bytes", "lower bound", order.lowerBoundBytes()))
        .field("load_proved", order.isLoadProved())
        .field("optimal", order.isOptimal());
    if (order.isReordered()) {
      answer.field("operators", Figure.longs(best.operators().stream()));
    }
  }

  /** Adds sentences on the end of the search, behind a blank line. */
  private void addSearch() {
    List<String> sentences = SearchSentences.of(report);
    if (!sentences.isEmpty()) {
      answer.line("").lines(sentences);
    }
  }

  /** {@return the proved quality of a plan with a number of bytes or a cost} */
  public static String quality(boolean isOptimal, long number, long bound) {
    return isOptimal
        ? "proved optimal"
        : "at most " + Numbers.above(number, bound).replace("<", "") + " above the optimum";
  }

  private void addTextures() {
    Facts facts = new Facts("SHARED TEXTURES", "texels", "textures");
    report.texturePlans().stream()
        .sorted(Comparator.comparingLong(Plan::size))
        .forEach(plan ->
            facts.row(
                "",
                plan.name(),
                Figure.count(plan.size()),
                Figure.count(plan.assignment().objectExtents().size())));
    answer.facts(facts);
    addSearch();
  }
}
