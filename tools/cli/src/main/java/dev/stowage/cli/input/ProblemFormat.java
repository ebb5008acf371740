package dev.stowage.cli.input;

/** The formats of problems, the values of {@code --input-format}. */
public enum ProblemFormat {
  /** MiniMalloc's CSV. */
  csv,
  /** JSON. */
  json
}
