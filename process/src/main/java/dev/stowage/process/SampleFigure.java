package dev.stowage.process;

/** A figure of a sample. Its growth is shown, and may be the cause of the growth of a part. */
enum SampleFigure {
  /** The bytes that programs have requested from the arenas of the C library. */
  ARENAS_IN_USE(MemoryOwner.C_HEAP, "in use"),
  /** The free bytes of the arenas of the C library, resident or not. */
  ARENAS_FREE(MemoryOwner.C_HEAP, "free"),
  /** The bytes of live objects, known after a full collection. */
  LIVE_OBJECTS(MemoryOwner.JAVA_HEAP, "live objects"),
  OBJECTS(MemoryOwner.JAVA_HEAP, "objects"),
  /** The resident bytes of the Java heap without objects. */
  HEAP_FREE(MemoryOwner.JAVA_HEAP, "free"),
  /** The bytes of direct buffers and of arenas of the FFM API, in both heaps of the C library. */
  BUFFERS_AND_ARENAS(MemoryOwner.LARGE_BLOCKS, "buffers and FFM arenas"),
  /** The bytes of direct buffers, known only to the process itself. */
  DIRECT_BUFFERS(MemoryOwner.LARGE_BLOCKS, "direct buffers");

  private final MemoryOwner owner;
  private final String title;

  SampleFigure(MemoryOwner owner, String title) {
    this.owner = owner;
    this.title = title;
  }

  /** {@return the owner of the memory} */
  MemoryOwner owner() {
    return owner;
  }

  /** {@return the name in a table, below the name of the owner} */
  String title() {
    return title;
  }
}
