package dev.stowage.cli.plan;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sentences on the end of a search or of planning, if it may have missed a better plan. */
public final class SearchSentences {

  private SearchSentences() {}

  /** {@return the sentences; none if there is nothing to add} */
  public static List<String> of(PlanReport report) {
    Optional<String> end =
        report
            .searched()
            .flatMap(plan -> {
              SearchResult<?> search = plan.search().orElseThrow();
              return end(search.end(), plan.seconds().orElse(0), search.nodes());
            });
    return of(end, report.isInterrupted());
  }

  /**
   * {@return the sentences}
   *
   * @param end the sentence on the end of a search, if there is one
   */
  public static List<String> of(Optional<String> end, boolean isInterrupted) {
    List<String> sentences = new ArrayList<>();
    end.ifPresent(sentences::add);
    if (isInterrupted) {
      sentences.add("Interrupted: plans are missing or could be smaller.");
    }
    return sentences;
  }

  /** {@return a sentence on the end of a search of OPTIMAL; empty if its plan is the best one} */
  public static Optional<String> end(SearchEnd end, double seconds, long nodes) {
    return switch (end) {
      case OPTIMAL, CANCELLED -> Optional.empty();
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
      case TIME_LIMIT ->
          Optional.of(
              Text.of(
                  "OPTIMAL reached its time limit after %.1f s and %s; a higher --time-limit lets it search longer.",
                  seconds, Numbers.count(nodes, "node")));
    };
  }
}
