package dev.stowage.plan.planner;

/**
 * An algorithm that plans memory: a stateless class that implements {@link ObjectsPlanner}, {@link
 * OffsetsPlanner} or both. {@link MemoryPlanner} prepares problems for it.
 */
public sealed interface Planner permits ObjectsPlanner, OffsetsPlanner {}
