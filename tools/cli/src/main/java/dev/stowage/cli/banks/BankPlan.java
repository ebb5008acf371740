package dev.stowage.cli.banks;

import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.search.BankedSearchResult;
import dev.stowage.plan.banks.search.BankedStrategy;
import java.util.Optional;

/**
 * A plan of one strategy in several banks.
 *
 * @param assignment the bank and the offset of each record
 * @param seconds the time of planning
 * @param search the result of the search that found the plan, if a search did
 */
public record BankPlan(
    BankedStrategy strategy,
    BankedAssignment assignment,
    double seconds,
    Optional<BankedSearchResult> search) {}
