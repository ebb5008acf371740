package dev.stowage.cli.banks;

import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankedStrategy;
import dev.stowage.plan.search.SearchOptions;
import java.util.List;
import java.util.Set;

/**
 * The requested plans in several banks.
 *
 * @param banks the banks, the fastest first
 * @param alignment the alignment of all offsets, in bytes
 * @param search the limits of OPTIMAL
 */
public record BankSelection(
    List<MemoryBank> banks, Set<BankedStrategy> strategies, long alignment, SearchOptions search) {

  public BankSelection {
    banks = List.copyOf(banks);
    strategies = Set.copyOf(strategies);
  }
}
