package dev.stowage.plan.spi;

/**
 * An algorithm that plans memory.
 *
 * <p>A planner is a stateless class that implements {@link ObjectsPlanner}, {@link OffsetsPlanner}
 * or {@link TexturePlanner}, or several of them. {@link MemoryPlanner} prepares problems for it. To
 * compare a planner with the strategies of this library, pass its plan to an {@code
 * AssignmentChecker}, and offer it to a search.
 */
public sealed interface Planner permits ObjectsPlanner, OffsetsPlanner, TexturePlanner {}
