package dev.stowage.cli.failure;

/**
 * A number of a failure, in the order of an answer. Texts give it, or it follows from others, as
 * the resource {@code numbers.txt} says. A number without a label is not in lists.
 */
public enum FailurePart {
  REQUESTED("requested"),
  CAPACITY("capacity"),
  LIMIT("limit"),
  DEVICE_FREE("free at the device"),
  AVAILABLE("available"),
  ALLOCATED("in use by the program"),
  PRIVATE_POOLS("of it in private pools"),
  RESERVED("reserved by the allocator"),
  CACHED("cached by the allocator"),
  LARGEST_HOLE("largest hole"),
  LARGEST_CHUNK("largest chunk in use"),
  PROCESS("in use by the process in all"),
  BELOW_LIMIT("held by others"),
  MISSING("missing"),
  PARAMETERS("parameters of the program"),
  OUTPUTS("results of the program"),
  TEMPORARIES("temporaries of the program"),
  PROGRAM_TOTAL("program in all"),
  PLAN_FRAGMENTATION("of it fragmentation of the compiler's plan"),
  LARGEST_BUFFER("largest buffer of the program"),
  POOL_MOST("the allocator holds less than"),
  REGION("new region"),
  VICTIM("resident in the killed process"),

  /**
   * The sums of a list of chunks, the sum that a text gives, and the longest free part of a map.
   */
  CHUNKS_IN_USE(""),
  CHUNKS_FREE(""),
  STATED_IN_USE(""),
  MAP_FREE(""),

  TAKEN(""),
  /** The bytes of the device that neither are free nor belong to the allocator. */
  OTHERS(""),
  /** The free bytes of the device, at most. */
  MOST_FREE(""),
  /** The free bytes that the allocator holds, at most. */
  MOST_CACHED(""),
  FREE(""),
  /** The bytes that are in use below a limit: by the program and by others. */
  USED(""),
  NEED(""),
  /** The bytes up to the limit, and the bytes in use beyond the requested ones. */
  TO_BE_HAD(""),
  LIMIT_LOW(""),
  LIMIT_HIGH(""),
  WASTE(""),
  /** The bytes that are free, also up to the limit, and those that are missing even then. */
  HAD(""),
  SHORT(""),
  LACKING(""),
  EXCESS("");

  private final String label;

  FailurePart(String label) {
    this.label = label;
  }

  /** {@return the name of the number in a list} */
  public String label() {
    return label;
  }
}
