package dev.stowage.process;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The memory of a process at one moment, to compare with other samples.
 *
 * <p>A sample is much smaller than its dump, so a program can keep thousands.
 */
public final class MemorySample {

  private final Optional<Instant> time;
  private final MemoryByOwner memory;
  private final Map<SampleFigure, Long> figures;
  private final Map<String, Long> requests;
  private final boolean hasOtherAllocator;
  private final MemoryOwner requestOwner;
  private final long threads;
  private final boolean hasVm;

  /**
   * Creates the sample of a dump.
   *
   * @param dump the dump
   */
  public MemorySample(ProcessDump dump) {
    DumpFigures figures = new DumpFigures(dump);
    time = dump.time();
    memory = new MemoryByOwner(dump, figures);
    requests = figures.tracked.requests();
    hasOtherAllocator = figures.shapes.allocator().isPresent();
    requestOwner = figures.requestOwner(this::bytesOf);
    threads = figures.status.threads();
    hasVm = dump.hasVm();
    this.figures = bytes(figures);
  }

  private Map<SampleFigure, Long> bytes(DumpFigures figures) {
    Map<SampleFigure, Long> read = new EnumMap<>(SampleFigure.class);
    // The C library has no figures for an allocator that replaces its own.
    if (!hasOtherAllocator && figures.nativeHeap.isPresent()) {
      NativeHeap heap = figures.nativeHeap.get();
      read.put(SampleFigure.ARENAS_IN_USE, heap.inUseBytes());
      read.put(SampleFigure.ARENAS_FREE, heap.freeBytes());
    }
    long resident = bytesOf(MemoryOwner.JAVA_HEAP);
    OptionalLong objects = figures.objectBytes(resident);
    if (objects.isPresent()) {
      read.put(SampleFigure.OBJECTS, objects.getAsLong());
      read.put(SampleFigure.HEAP_FREE, resident - objects.getAsLong());
      figures.liveBytes(resident).ifPresent(live -> read.put(SampleFigure.LIVE_OBJECTS, live));
    }
    figures
        .tracked
        .bufferBytes()
        .ifPresent(bytes -> read.put(SampleFigure.BUFFERS_AND_ARENAS, bytes));
    figures.directBytes.ifPresent(bytes -> read.put(SampleFigure.DIRECT_BUFFERS, bytes));
    return read;
  }

  /** {@return true if a virtual machine has answered} */
  boolean hasVm() {
    return hasVm;
  }

  /** {@return the moment; empty if the dump does not have it} */
  public Optional<Instant> time() {
    return time;
  }

  /** {@return the memory} */
  public MemoryByOwner memory() {
    return memory;
  }

  /**
   * {@return the resident bytes of an owner; 0 if it has none}
   *
   * @param owner the owner
   */
  public long bytesOf(MemoryOwner owner) {
    return memory.parts().stream()
        .filter(part -> part.owner() == owner)
        .mapToLong(OwnedMemory::bytes)
        .sum();
  }

  /** {@return a figure; empty if it is not known} */
  OptionalLong figure(SampleFigure figure) {
    Long bytes = figures.get(figure);
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  /** {@return the bytes requested from the C library, by purpose; empty if tracking is off} */
  Map<String, Long> requests() {
    return requests;
  }

  /** {@return true if a library replaces the allocator of the C library} */
  boolean hasOtherAllocator() {
    return hasOtherAllocator;
  }

  /** {@return the owner of most requests to the C library} */
  MemoryOwner requestOwner() {
    return requestOwner;
  }

  /** {@return the number of threads; 0 if it is not known} */
  long threads() {
    return threads;
  }
}
