package dev.stowage.cli.plan;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sentences on the result of a search, and on its end if it may have missed a better plan. */
public final class SearchSentences {

  private SearchSentences() {}

  /** {@return the sentences; none if the report has no search or if there is nothing to add} */
  public static List<String> of(PlanReport report) {
    List<String> sentences = new ArrayList<>();
    Optional<Plan.Offsets> searched = report.searched();
    if (searched.isPresent()) {
      saving(report, searched.get()).ifPresent(sentences::add);
      SearchResult<OffsetsAssignment> search = searched.get().search().orElseThrow();
      end(search.end(), searched.get().seconds(), search.nodes()).ifPresent(sentences::add);
    }
    if (report.arePlansCut()) {
      sentences.add(interruption(!report.plans().isEmpty()));
    }
    if (report.isOrderCut()) {
      sentences.add("Interrupted: a longer search may find a better order of the operators.");
    }
    return sentences;
  }

  /**
   * {@return a sentence on the bytes that a search saves over the best other plan; empty if it
   * saves none, or if the plan of XLA is there, with which the conclusion compares}
   */
  private static Optional<String> saving(PlanReport report, Plan.Offsets searched) {
    return report
        .bestUnsearched()
        .filter(other -> report.planOfXla().isEmpty() && other.totalBytes() > searched.totalBytes())
        .map(other ->
            Text.of(
                "OPTIMAL saves %s (%s) against %s, the best of the others.",
                Numbers.count(other.totalBytes() - searched.totalBytes(), "byte"),
                Numbers.percent(other.totalBytes() - searched.totalBytes(), other.totalBytes()),
                other.name()));
  }

  /**
   * {@return a sentence on planning that a signal ended}
   *
   * @param hasPlan true if there is a plan
   */
  public static String interruption(boolean hasPlan) {
    return hasPlan
        ? "Interrupted: these are the best plans so far."
        : "Interrupted before the first plan.";
  }

  /**
   * {@return a sentence on the end of a search of OPTIMAL; empty if its plan is the best one}
   *
   * @param end the reason that the search ended
   */
  public static Optional<String> end(SearchEnd end, double seconds, long nodes) {
    return switch (end) {
      case OPTIMAL -> Optional.empty();
      case CAPACITY_REACHED ->
          Optional.of("OPTIMAL stopped at its first plan within the capacity.");
      case NODE_LIMIT ->
          Optional.of(
              Text.of(
                  "OPTIMAL reached its node limit after %s; a --time-limit lets it search longer.",
                  Numbers.count(nodes, "node")));
      case NOT_EXHAUSTIVE ->
          Optional.of(
              "OPTIMAL searched with longer lifetimes, because the graph has too many pairs that must not share memory; there may be a smaller plan.");
      case CANCELLED ->
          Optional.of(
              Text.of(
                  "OPTIMAL was interrupted after %.1f s and %s.",
                  seconds, Numbers.count(nodes, "node")));
      case TIME_LIMIT ->
          Optional.of(
              Text.of(
                  "OPTIMAL reached its time limit after %.1f s and %s; a higher --time-limit lets it search longer.",
                  seconds, Numbers.count(nodes, "node")));
    };
  }
}
