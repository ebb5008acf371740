package dev.stowage.cli.plan;

/** A part of a {@link PlanReport} that only some reports have, at most one of each class. */
public interface PlanPart {}
