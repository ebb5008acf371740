package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.XlaProgram;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.Violation;
import dev.stowage.plan.check.AssignmentChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    if (selection.isExplained()) {
      input
          .xla()
          .flatMap(XlaProgram::absentText)
          .ifPresent(name ->
              notes.add(
                  "operators and lines of code are not known, because the file "
                      + name
                      + " is not beside it; XLA writes it to the same folder"));
    }
    if (!input.banks().ties().isEmpty()) {
      notes.add("all records are in one arena, also those of a bank, because --bank is not given");
    }
    AssignmentChecker.pinnedOverlap(problem).map(Violation::message).ifPresent(notes::add);
    if (problem.hasPins() && selection.isAll()) {
      notes.add("some records are pinned; strategies that cannot place them are skipped");
    }
    int pairCount = problem.usableInPlace().size();
    if (pairCount > 0) {
      notes.add(
          Numbers.count(pairCount, "record")
              + " may be in place of others; only the offsets of OPTIMAL use this");
    }
    notes.addAll(graphNotes(problem));
    return notes;
  }

  /** {@return notes on the planning of tensors with a graph; none if the problem has no graph} */
  private static List<String> graphNotes(PlanProblem problem) {
    if (problem.reuseGraph().isEmpty()) {
      return List.of();
    }
    String plans =
        Text.of(
            "the problem has a %s graph: all plans are valid in every order that it allows",
            name(problem.reuseGraph().get()));
    return Stream.of(Optional.of(plans), gapsNote(problem), inPlaceNote(problem))
        .flatMap(Optional::stream)
        .toList();
  }

  /** {@return the name of a kind of graphs} */
  static String name(ReuseGraph graph) {
    return graph.isUsageGraph() ? "usage" : "reallocation";
  }
}
