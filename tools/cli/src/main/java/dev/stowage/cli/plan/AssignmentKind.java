package dev.stowage.cli.plan;

/** The two kinds of plans. */
public enum AssignmentKind {
  /** An offset in one tensor arena for every record. */
  OFFSETS,
  /** A shared object for every record. */
  OBJECTS
}
