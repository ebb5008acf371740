package dev.stowage.process;

/** A reason why memory grows. */
public enum GrowthCause {
  /** Free memory of the C heap grows. */
  FRAGMENTATION(
      "fragmentation, not a leak",
      "The free memory of the C heap grows more than its memory in use."),
  /** Pages of earlier requests to the C library become resident. */
  FIRST_USE(
      "pages that are used for the first time",
      "Neither the memory in use nor the free memory grows as much: pages of earlier requests become"
          + " resident."),
  /** The requests to the C library grow, and their purpose is not known. */
  NATIVE_REQUESTS(
      "direct buffers, arenas of the FFM API or native code",
      "The C library has more memory in use. At the next start, -XX:NativeMemoryTracking=summary"
          + " names the purpose, and -XX:MaxDirectMemorySize limits direct buffers."),
  /** The requests to the C library grow, and direct buffers do not grow as much. */
  ARENAS_OR_NATIVE_CODE(
      "arenas of the FFM API or native code",
      "Direct buffers do not grow as much. At the next start, -XX:NativeMemoryTracking=summary names"
          + " the purpose."),
  /** Direct buffers. */
  DIRECT_BUFFERS(
      "direct buffers",
      "The program holds more bytes in direct buffers. -XX:MaxDirectMemorySize limits them."),
  /** Arenas of the FFM API. */
  FFM_ARENAS(
      "arenas of the FFM API",
      "The virtual machine counts them with direct buffers, and these do not grow as much."),
  /** Direct buffers or arenas of the FFM API. */
  BUFFERS_OR_ARENAS(
      "direct buffers or arenas of the FFM API",
      "The virtual machine counts both together. -XX:MaxDirectMemorySize limits direct buffers."),
  /** Requests of the virtual machine to the C library. */
  VM_REQUESTS(
      "requests of the virtual machine", "Native Memory Tracking has the purpose of most of them."),
  /** Requests of a native library. */
  NATIVE_LIBRARIES(
      "a native library",
      "The memory in use grows by more than Native Memory Tracking counts, so that a native library"
          + " requests it."),
  /** An allocator that replaces the C library's. */
  OTHER_ALLOCATOR(
      "an allocator that replaces the C library's",
      "Only its own statistics tell a leak from fragmentation."),
  /** Metadata of classes. */
  CLASSES(
      "class loaders",
      "The program loads or creates classes. Their memory is released with their class loader only."),
  /** Threads. */
  THREADS("more threads", "The number of threads grows."),
  /** Stacks. */
  DEEPER_STACKS(
      "deeper stacks",
      "The number of threads does not grow as much; the threads use more pages of their stacks."),
  /** Pages of files. */
  FILE_PAGES(
      "pages of files, which the kernel can reclaim",
      "The program uses more pages of the files that it has mapped."),
  /** Pages of libraries. */
  LIBRARY_PAGES(
      "pages of files, which the kernel can reclaim",
      "Code and classes become resident when they are first used."),
  /** Memory that processes share. */
  SHARED_PAGES(
      "memory that processes share",
      "The kernel cannot reclaim it while its file or segment exists."),
  /** Live objects. */
  LIVE_OBJECTS(
      "a leak or more data in the Java heap",
      "More objects are live after each full collection. A heap dump has them: jcmd PID"
          + " GC.heap_dump FILE."),
  /** The objects that collections leave grow. */
  KEPT_OBJECTS(
      "live objects, or garbage that no collection has found yet",
      "The objects also grow at their lowest, after collections. --gc tells which they are."),
  /** Objects, with too few collections to tell whether they are live. */
  OBJECTS(
      "objects, live or garbage", "The samples show too few collections to tell which. --gc does."),
  /** The heap is larger, but the objects are not. */
  HEAP_SIZE(
      "a larger heap, not more live objects",
      "The collector uses more of the heap before it collects. -Xmx limits it."),
  /** Compiled code. */
  COMPILED_CODE(
      "warm-up",
      "The virtual machine compiles more methods. -XX:ReservedCodeCacheSize limits their code."),
  /** Tables of the collector. */
  GC_TABLES(
      "tables of the collector", "They grow with the Java heap and with the references in it."),
  /** Other memory of the virtual machine. */
  VM_MEMORY("the virtual machine", "Its memory is neither of objects nor of classes."),
  /** Allocators of Stowage. */
  STOWAGE_REGIONS(
      "regions of Stowage's allocators", "The reports of the allocators have the reason."),
  /** A reason that is not known. */
  UNKNOWN("a source that is not known", "The figures of the process do not tell its purpose.");

  private final String title;
  private final String explanation;

  GrowthCause(String title, String explanation) {
    this.title = title;
    this.explanation = explanation;
  }

  /** {@return the name in sentences} */
  public String title() {
    return title;
  }

  /** {@return sentences on the evidence, or on ways to find out more} */
  public String explanation() {
    return explanation;
  }
}
