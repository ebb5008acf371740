package dev.stowage.cli.plan;

import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Sentences on the result of a search, and on its end if it may have missed a better plan. */
public final class SearchSentences {

  private SearchSentences() {}

  /** {@return the sentences; none if the report has no search or if there is nothing to add} */
  public static List<String> of(PlanReport report) {
    List<String> sentences = new ArrayList<>();
    Optional<Plan.Offsets> searched = report.searched();
    if (searched.isPresent()) {
      long savedBytes = savedBytes(report);
      if (savedBytes > 0) {
        sentences.add(saving(savedBytes, report.bestUnsearched().orElseThrow()));
      }
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

  /** {@return the bytes that the search saves over the best other plan; 0 if it saves none} */
  private static long savedBytes(PlanReport report) {
    if (report.searched().isEmpty() || report.bestUnsearched().isEmpty()) {
      return 0;
    }
    long unsearchedBytes = report.bestUnsearched().get().totalBytes();
    return Math.max(0, unsearchedBytes - report.searched().get().totalBytes());
  }

  private static String saving(long savedBytes, Plan.InArena best) {
    return String.format(
        Locale.ROOT,
        "OPTIMAL saves %s (%s) against %s, the best of the others.",
        Numbers.count(savedBytes, "byte"),
        Numbers.percent(savedBytes, best.totalBytes()),
        best.name());
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
              String.format(
                  Locale.ROOT,
                  "OPTIMAL reached its node limit after %s; a higher --node-limit lets it search longer.",
                  Numbers.count(nodes, "node")));
      case NOT_EXHAUSTIVE ->
          Optional.of(
              "OPTIMAL searched with longer lifetimes, because the graph has too many pairs that must not share memory; there may be a smaller plan.");
      case CANCELLED ->
          Optional.of(
              String.format(
                  Locale.ROOT,
                  "OPTIMAL was interrupted after %.1f s and %s.",
                  seconds,
                  Numbers.count(nodes, "node")));
      case TIME_LIMIT ->
          Optional.of(
              String.format(
                  Locale.ROOT,
                  "OPTIMAL reached its time limit after %.1f s and %s; a higher --time-limit lets it search longer.",
                  seconds,
                  Numbers.count(nodes, "node")));
    };
  }
}
