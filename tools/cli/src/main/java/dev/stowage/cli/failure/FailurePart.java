package dev.stowage.cli.failure;

/** A number that a text of a failure gives, in the order of an answer. */
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
  CHUNK_SIZE("chunks with most bytes, each"),
  CHUNKS_OF_SIZE("these chunks in all"),
  PROCESS("in use by the process in all"),
  OTHERS("held by others"),
  MISSING("missing"),
  PARAMETERS("parameters of the program"),
  OUTPUTS("results of the program"),
  TEMPORARIES("temporaries of the program"),
  PROGRAM_TOTAL("program in all"),
  PLAN_FRAGMENTATION("of it fragmentation of the compiler's plan"),
  LARGEST_BUFFER("largest buffer of the program"),
  POOL_MOST("the allocator holds less than"),
  REGION("new region"),
  VICTIM("resident in the killed process");

  private final String label;

  FailurePart(String label) {
    this.label = label;
  }

  /** {@return the name of the number in a list} */
  public String label() {
    return label;
  }
}
