package dev.stowage.process;

/** An owner of resident memory of a process. */
public enum MemoryOwner {
  /** The objects of a Java program, and free memory that the collector keeps. */
  JAVA_HEAP("Java heap"),
  /** The metadata of classes. */
  METASPACE("metaspace"),
  /** Metadata of classes that compressed pointers reach. */
  CLASS_SPACE("class space"),
  /** Classes that the virtual machine maps from an archive. */
  SHARED_CLASSES("shared classes"),
  /** Compiled code. */
  CODE_CACHE("code cache"),
  /** The stacks of threads. */
  THREAD_STACKS("thread stacks"),
  /** Tables of the garbage collector. */
  GC_STRUCTURES("GC structures"),
  /** Other memory of the virtual machine. */
  OTHER_VM("other memory of the VM"),
  /** The arenas of the C library, which serve small requests of all native code. */
  C_HEAP("C heap"),
  /** Requests to the C library that have a mapping of their own, such as direct buffers. */
  LARGE_BLOCKS("large native blocks"),
  /** Memory that allocators of Stowage hold. */
  STOWAGE("Stowage allocators"),
  /** Executables and libraries. */
  LIBRARIES("libraries"),
  /** Files that the program has mapped. */
  MAPPED_FILES("mapped files"),
  /** Memory that processes share. */
  SHARED_MEMORY("shared memory"),
  /** Mappings of unknown owners. */
  NOT_ATTRIBUTED("not attributed");

  private final String title;

  MemoryOwner(String title) {
    this.title = title;
  }

  /** {@return the name in sentences} */
  public String title() {
    return title;
  }
}
