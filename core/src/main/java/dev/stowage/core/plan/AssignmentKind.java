package dev.stowage.core.plan;

/** The two shapes of a plan. */
public enum AssignmentKind {
  /** An offset in one tensor arena for every record. */
  OFFSETS,
  /** A shared object for every record. */
  OBJECTS
}
