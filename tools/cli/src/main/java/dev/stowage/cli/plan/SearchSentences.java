package dev.stowage.cli.plan;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.search.SearchEnd;
import java.util.List;
import java.util.stream.Stream;

/** Sentences on the end of a search or of planning, if it may have missed a better plan. */
public final class SearchSentences {

  private SearchSentences() {}

  /** {@return the sentences; none if there is nothing to add} */
  public static List<String> of(PlanReport report) {
    return report
        .searched()
        .map(plan ->
            of(
                plan.search().orElseThrow().end(),
                plan.seconds().orElse(0),
                plan.search().orElseThrow().nodes(),
                report.isInterrupted()))
        .orElseGet(() -> of(SearchEnd.OPTIMAL, 0, 0, report.isInterrupted()));
  }

  /** {@return the sentences on a search of OPTIMAL and the planning around it} */
  public static List<String> of(SearchEnd end, double seconds, long nodes, boolean isInterrupted) {
    String sentence =
        switch (end) {
          case OPTIMAL, CANCELLED -> "";
          case CAPACITY_REACHED -> "OPTIMAL stopped at its first plan within the capacity.";
          case NODE_LIMIT ->
              Text.of(
                  "OPTIMAL reached its node limit after %s; a --time-limit lets it search longer.",
                  Numbers.count(nodes, "node"));
          case NOT_EXHAUSTIVE ->
              "OPTIMAL searched with longer lifetimes, because the graph has too many pairs that must not share memory; there may be a smaller plan.";
          case TIME_LIMIT ->
              Text.of(
                  "OPTIMAL reached its time limit after %.1f s and %s; a higher --time-limit lets it search longer.",
                  seconds, Numbers.count(nodes, "node"));
        };
    String interrupted = isInterrupted ? "Interrupted: plans are missing or could be smaller." : "";
    return Stream.of(sentence, interrupted).filter(it -> !it.isEmpty()).toList();
  }
}
