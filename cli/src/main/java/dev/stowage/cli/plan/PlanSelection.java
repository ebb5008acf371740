package dev.stowage.cli.plan;

import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.MemoryStrategy;
import java.util.Set;

/**
 * Which plans a user asked for.
 *
 * @param named the strategies asked for by name
 * @param all whether all others that apply are wanted, too
 * @param kinds the kinds of plans
 * @param alignment of every offset
 */
public record PlanSelection(
    Set<MemoryStrategy> named, boolean all, Set<AssignmentKind> kinds, long alignment) {}
