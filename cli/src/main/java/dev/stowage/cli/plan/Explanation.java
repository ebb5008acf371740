package dev.stowage.cli.plan;

import dev.stowage.core.plan.bounds.CapacityConflict;
import java.util.Optional;

/**
 * Why no offsets plan fits into a capacity.
 *
 * @param capacityBytes what no plan was found for
 * @param conflict a few records that cannot fit into it together; empty if none were proved to
 */
public record Explanation(long capacityBytes, Optional<CapacityConflict> conflict) {}
