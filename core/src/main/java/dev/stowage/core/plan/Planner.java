package dev.stowage.core.plan;

/**
 * What a strategy is made of.
 *
 * <p>A strategy is one stateless class that implements {@link ObjectsPlanner}, {@link
 * OffsetsPlanner} or {@link TexturePlanner}, whichever plans it can make, and one line in {@link
 * MemoryStrategy}.
 */
interface Planner {}
