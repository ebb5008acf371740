package dev.stowage.cli.plan;

import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.MemoryStrategy;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which plans a user asked for.
 *
 * @param named the strategies asked for by name
 * @param all whether all others that apply are wanted, too
 * @param kinds the kinds of plans
 * @param alignment of every offset
 */
public record PlanSelection(
    Set<MemoryStrategy> named, boolean all, Set<AssignmentKind> kinds, long alignment) {

  /** {@return the strategies that were asked for, in their own order} */
  public List<MemoryStrategy> strategies() {
    return Stream.of(MemoryStrategy.values())
        .filter(strategy -> all || named.contains(strategy))
        .toList();
  }
}
