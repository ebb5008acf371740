package dev.stowage.cli.banks;

import dev.stowage.cli.plan.SearchSentences;
import dev.stowage.plan.banks.search.BankedSearchResult;
import dev.stowage.plan.search.SearchEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sentences on the end of a search in several banks if it may have missed a cheaper plan. */
public final class BankSentences {

  private BankSentences() {}

  /** {@return the sentences; none if the search ended by itself} */
  public static List<String> of(BankReport report) {
    List<String> sentences = new ArrayList<>();
    for (BankPlan plan : report.plans()) {
      plan.search()
          .flatMap(BankSentences::limit)
          .flatMap(
              end -> SearchSentences.end(end, plan.seconds(), plan.search().orElseThrow().nodes()))
          .ifPresent(sentences::add);
    }
    if (report.isInterrupted()) {
      sentences.add(SearchSentences.interruption(!report.plans().isEmpty()));
    }
    return sentences;
  }

  private static Optional<SearchEnd> limit(BankedSearchResult search) {
    return switch (search.end()) {
      case TIME_LIMIT -> Optional.of(SearchEnd.TIME_LIMIT);
      case NODE_LIMIT -> Optional.of(SearchEnd.NODE_LIMIT);
      case CANCELLED -> Optional.of(SearchEnd.CANCELLED);
      case OPTIMAL, NO_PLAN, NOT_EXHAUSTIVE -> Optional.empty();
    };
  }
}
