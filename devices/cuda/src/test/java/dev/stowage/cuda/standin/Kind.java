package dev.stowage.cuda.standin;

/** The kinds of objects that callers must free. */
public enum Kind {
  ALLOCATIONS,
  RESERVATIONS,
  MAPPINGS,
  PHYSICALS,
  STREAMS,
  EVENTS,
  PINNED
}
