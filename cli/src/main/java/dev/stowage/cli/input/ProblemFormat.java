package dev.stowage.cli.input;

/** The formats of problems, as {@code --input-format} names them. */
public enum ProblemFormat {
  /** MiniMalloc's columns. */
  csv,
  /** An object with records. */
  json
}
