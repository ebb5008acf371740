package dev.stowage.process;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The memory of a process at one of several moments.
 *
 * <p>A sample is much smaller than the dump it is made from, so that a program can keep thousands.
 */
public final class MemorySample {

  private final Optional<Instant> time;
  private final MemoryByOwner memory;
  private final Map<SampleFigure, Long> figures;
  private final Map<String, Long> requests;
  private final Optional<String> allocator;
  private final long threads;
  private final boolean hasVm;

  /**
   * Creates the sample of a dump.
   *
   * @param dump the dump
   */
  public MemorySample(ProcessDump dump) {
    time = dump.time();
    memory = new MemoryByOwner(dump);
    requests = TrackedMemory.of(dump.section(ProcessDump.TRACKING)).requests();
    allocator = new MappingShapes(Smaps.read(dump.section(ProcessDump.SMAPS))).allocator();
    threads = new ProcessStatus(dump.section(ProcessDump.STATUS)).threads();
    hasVm = dump.hasVm();
    figures = figures(dump);
  }

  private Map<SampleFigure, Long> figures(ProcessDump dump) {
    Map<SampleFigure, Long> read = new EnumMap<>(SampleFigure.class);
    // The figures of the C library are not those of an allocator that replaces it.
    if (allocator.isEmpty()) {
      NativeHeap.of(dump.section(ProcessDump.NATIVE_HEAP))
          .ifPresent(heap -> {
            read.put(SampleFigure.ARENAS_IN_USE, heap.arenaBytes() - heap.freeBytes());
            read.put(SampleFigure.ARENAS_FREE, heap.freeBytes());
          });
    }
    Optional<JavaHeap> heap = JavaHeap.of(dump.section(ProcessDump.HEAP));
    if (heap.isPresent()) {
      long resident = bytesOf(MemoryOwner.JAVA_HEAP);
      long objects = Math.min(resident, heap.get().usedBytes());
      read.put(SampleFigure.OBJECTS, objects);
      read.put(SampleFigure.HEAP_FREE, resident - objects);
      JavaHeap.of(dump.section(ProcessDump.COLLECTED_HEAP))
          .ifPresent(
              live -> read.put(SampleFigure.LIVE_OBJECTS, Math.min(objects, live.usedBytes())));
    }
    if (!requests.isEmpty()) {
      long buffers = requests.getOrDefault(TrackedMemory.BUFFER_PURPOSE, 0L);
      read.put(SampleFigure.BUFFERS_AND_ARENAS, buffers);
    }
    MemoryBeans.directBytes(dump.section(ProcessDump.BEANS))
        .ifPresent(bytes -> read.put(SampleFigure.DIRECT_BUFFERS, bytes));
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

  /** {@return the resident bytes of an owner; 0 if it has none} */
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
    return allocator.isPresent();
  }

  /** {@return the number of threads; 0 if it is not known} */
  long threads() {
    return threads;
  }
}
