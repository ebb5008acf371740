package dev.stowage.cli.plan;

import dev.stowage.core.plan.bounds.CapacityConflict;
import java.util.Optional;

/**
 * The reason why no offsets plan fits into a capacity.
 *
 * @param capacityBytes the capacity
 * @param conflict a few records that cannot fit together; empty if none were found
 */
public record Explanation(long capacityBytes, Optional<CapacityConflict> conflict) {}
