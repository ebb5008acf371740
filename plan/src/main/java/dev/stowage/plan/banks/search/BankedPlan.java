package dev.stowage.plan.banks.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.search.SearchResult;
import java.util.List;

/**
 * The plan that a {@link BankedPlanner} made.
 *
 * @param order the order that divided the records among the banks at the lowest cost
 * @param assignment the bank and the offset of each record
 * @param searches the search in each bank, which no record enters or leaves; its lower bound holds
 *     for the records of the bank
 */
public record BankedPlan(
    BankOrder order, BankedAssignment assignment, List<SearchResult<OffsetsAssignment>> searches) {

  public BankedPlan {
    searches = List.copyOf(searches);
  }
}
