package dev.stowage.cli.plan;

import dev.stowage.cli.input.BankFields;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.Violation;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Notes for users on the planning of a problem. */
public final class PlanNotes {

  private PlanNotes() {}

  /** {@return a note on textures with a graph} */
  static String graphNote(ReuseGraph graph) {
    return Text.of(
        "the problem has a %s graph: textures are planned with longer lifetimes, so that all plans are valid in every order that it allows",
        name(graph));
  }

  /** {@return a note on gaps that are ignored because of a graph; empty if there are none} */
  public static Optional<String> gapsNote(PlanProblem problem) {
    return problem.withoutUnusedGaps().equals(problem)
        ? Optional.empty()
        : Optional.of(
            "gaps are ignored: with a graph, a record needs its memory during its whole lifetime");
  }

  /**
   * {@return a note on records in place that are ignored because of a graph; empty if there are
   * none}
   */
  public static Optional<String> inPlaceNote(PlanProblem problem) {
    return problem.inPlace().isEmpty() || problem.reuseGraph().isEmpty()
        ? Optional.empty()
        : Optional.of("in_place_of is ignored: a graph also allows other orders of the tasks");
  }

  /** {@return a note on sizes that are the largest ones of ranges; empty if there are none} */
  public static Optional<String> rangesNote(PlanInput.Tensors input) {
    return input
        .ranges()
        .map(problem ->
            Text.of(
                "sizes are the largest ones at %s of %s",
                problem.isSampled()
                    ? Numbers.count(problem.points().size(), "checked shape")
                    : "all " + Numbers.count(problem.ranges().shapeCount(), "shape"),
                problem.ranges()));
  }

  /** {@return notes on the planning of tensors in one arena} */
  static List<String> of(PlanInput.Tensors input, PlanProblem problem, PlanSelection selection) {
    List<String> notes = new ArrayList<>();
    if (problem.records().isEmpty() && input.xla().isEmpty()) {
      notes.add(
          "nothing is planned: there are no records"
              + (input.file().isModel() ? "; --io also plans inputs and outputs" : ""));
    }
    tiesNote(input.banks()).ifPresent(notes::add);
    AssignmentChecker.pinnedOverlap(problem).map(Violation::message).ifPresent(notes::add);
    if (problem.hasPins() && selection.isAll()) {
      notes.add("some records are pinned; strategies that cannot place them are skipped");
    }
    int pairCount = problem.usableInPlace().size();
    if (pairCount > 0) {
      notes.add(
          Text.of(
              "%s may be in place of %s; only the offsets of OPTIMAL use this",
              Numbers.count(pairCount, "record"), pairCount == 1 ? "another" : "others"));
    }
    notes.addAll(graphNotes(problem));
    return notes;
  }

  /** {@return a note on banks, which one arena does not have; empty if no record names one} */
  private static Optional<String> tiesNote(BankFields banks) {
    int count = banks.ties().size();
    return count == 0
        ? Optional.empty()
        : Optional.of(
            Text.of(
                "%s tied to a bank; all records are in one arena, because --bank is not given",
                Numbers.count(count, "record") + (count == 1 ? " is" : " are")));
  }

  /** {@return notes on the planning of tensors with a graph; none if the problem has no graph} */
  private static List<String> graphNotes(PlanProblem problem) {
    if (problem.reuseGraph().isEmpty()) {
      return List.of();
    }
    String plans =
        Text.of(
            "the problem has a %s graph: all plans are valid in every order that it allows; NAIVE, GREEDY_IN_ORDER, TFLM_GREEDY, OPTIMAL and the offsets of GREEDY_BY_SIZE use exactly the pairs that must not share memory, the others use longer lifetimes, which may rule out more pairs",
            name(problem.reuseGraph().get()));
    return Stream.of(Optional.of(plans), gapsNote(problem), inPlaceNote(problem))
        .flatMap(Optional::stream)
        .toList();
  }

  /** {@return a note on strategies that were not named and would take too long} */
  static String skippedNote(PlanProblem problem, Set<MemoryStrategy> skipped) {
    return Text.of(
        "skipped because they may take long for so many records: %s; --strategy NAME runs one",
        skipped.stream()
            .map(strategy -> limit(problem, strategy))
            .collect(Collectors.joining(", ")));
  }

  private static String limit(PlanProblem problem, MemoryStrategy strategy) {
    return Text.of(
        "%s%s (above %s)",
        strategy,
        strategy.comparesOffsets(problem) ? " objects" : "",
        strategy.comparesObjects(problem) ? strategy.offsetsLimit() : strategy.objectsLimit());
  }

  /** {@return the name of a kind of graphs} */
  static String name(ReuseGraph graph) {
    return graph.isUsageGraph() ? "usage" : "reallocation";
  }

  /** {@return a note on the strategies that a signal ended} */
  static String interruptedNote(List<MemoryStrategy> unfinished, List<Plan> plans) {
    if (unfinished.isEmpty()) {
      return "interrupted before the explanation was finished";
    }
    return (plans.isEmpty()
            ? "interrupted before the first plan"
            : "interrupted: these are the best plans so far")
        + "; not finished: "
        + unfinished.stream().map(MemoryStrategy::name).collect(Collectors.joining(", "));
  }
}
