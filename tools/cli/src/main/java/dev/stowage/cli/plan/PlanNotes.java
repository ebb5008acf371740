package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.Violation;
import dev.stowage.plan.check.AssignmentChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Notes for users on the planning of a problem. */
public final class PlanNotes {

  private PlanNotes() {}

  /**
   * {@return a note on fields of a problem that are ignored because it has a graph; empty if none
   * are}
   */
  public static Optional<String> ignoredNote(PlanProblem problem) {
    boolean hasGaps = !problem.withoutUnusedGaps().equals(problem);
    boolean hasPlaces = !problem.inPlace().isEmpty() && problem.reuseGraph().isPresent();
    return hasGaps || hasPlaces
        ? Optional.of(
            "gaps and in_place_of are ignored: a graph also allows other orders of the tasks")
        : Optional.empty();
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
    if (!input.banks().ties().isEmpty()) {
      notes.add("all records are in one arena, also those of a bank, because --bank is not given");
    }
    AssignmentChecker.pinnedOverlap(problem).map(Violation::message).ifPresent(notes::add);
    if (problem.hasPins() && selection.isAll()) {
      notes.add("some records are pinned; strategies that cannot place them are skipped");
    }
    ignoredNote(problem).ifPresent(notes::add);
    return notes;
  }
}
