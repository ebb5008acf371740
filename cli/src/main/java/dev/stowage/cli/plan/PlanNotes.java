package dev.stowage.cli.plan;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReallocationGraph;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.UsageGraph;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Notes for users on the planning of a problem. */
public final class PlanNotes {

  private PlanNotes() {}

  /** {@return a note on textures with a graph} */
  static String graphNote(ReuseGraph graph) {
    return String.format(
        Locale.ROOT,
        "the problem has a %s graph: textures are planned with longer lifetimes, so that all plans are valid in every order that it allows",
        name(graph));
  }

  /**
   * {@return a note on gaps that are ignored because of a graph; empty if there are none}
   *
   * @param problem the problem
   */
  public static Optional<String> gapsNote(PlanProblem problem) {
    return problem.withoutUnusedGaps().equals(problem)
        ? Optional.empty()
        : Optional.of(
            "gaps are ignored: with a graph, a record needs its memory during its whole lifetime");
  }

  /**
   * {@return a note on records in place that are ignored because of a graph; empty if there are
   * none}
   *
   * @param problem the problem
   */
  public static Optional<String> inPlaceNote(PlanProblem problem) {
    return problem.inPlace().isEmpty() || problem.reuseGraph().isEmpty()
        ? Optional.empty()
        : Optional.of("in_place_of is ignored: a graph also allows other orders of the tasks");
  }

  /** {@return the name of a kind of graphs} */
  static String name(ReuseGraph graph) {
    return switch (graph) {
      case UsageGraph usage -> "usage";
      case ReallocationGraph ready -> "reallocation";
    };
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
