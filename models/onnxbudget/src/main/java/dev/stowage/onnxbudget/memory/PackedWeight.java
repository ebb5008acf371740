package dev.stowage.onnxbudget.memory;

/**
 * A copy of a weight that a kernel makes while a session is created.
 *
 * @param input the input of the operator
 * @param beforeBytes memory that is allocated before the copy and freed after it; 0 for none
 * @param bytes the copy
 * @param kind the kind of the copy
 * @param afterBytes memory that is reserved after the copy and freed at once; 0 for none
 */
record PackedWeight(int input, long beforeBytes, long bytes, Kind kind, long afterBytes) {

  /** The kinds of copies. */
  enum Kind {
    /** A copy in reserved memory that replaces the weight. */
    RESERVED,
    /** A copy in allocated memory that replaces the weight. */
    ALLOCATED,
    /** A copy in reserved memory; the session also keeps the weight. */
    ADDED
  }

  /** {@return a copy that replaces the weight, without other memory} */
  static PackedWeight of(int input, long bytes) {
    return new PackedWeight(input, 0, bytes, Kind.RESERVED, 0);
  }
}
