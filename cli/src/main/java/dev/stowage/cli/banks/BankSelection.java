package dev.stowage.cli.banks;

import dev.stowage.core.plan.banks.BankedStrategy;
import dev.stowage.core.plan.banks.MemoryBank;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The requested plans in several banks.
 *
 * @param banks the banks, the fastest first
 * @param strategies the strategies
 * @param alignment the alignment of all offsets, in bytes
 * @param timeLimit the time limit of OPTIMAL
 */
public record BankSelection(
    List<MemoryBank> banks, Set<BankedStrategy> strategies, long alignment, Duration timeLimit) {

  /** Creates a selection. */
  public BankSelection {
    banks = List.copyOf(banks);
    strategies = Set.copyOf(strategies);
  }
}
