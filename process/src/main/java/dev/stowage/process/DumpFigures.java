package dev.stowage.process;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** The figures in the texts of a dump; each text is read once. */
final class DumpFigures {

  final ProcessStatus status;

  /** The mappings by ascending address. */
  final List<Mapping> mappings;

  final MappingShapes shapes;

  /** The ranges of addresses with an owner that the virtual machine knows. */
  final VmRanges ranges;

  final VmFlags flags;
  final TrackedMemory tracked;
  final Optional<NativeHeap> nativeHeap;
  final Optional<CgroupMemory> cgroup;

  /** The bytes of direct buffers, if the process itself made the dump. */
  final OptionalLong directBytes;

  private final OptionalLong objectBytes;
  private final OptionalLong collectedObjectBytes;

  DumpFigures(ProcessDump dump) {
    status = new ProcessStatus(dump.section(ProcessDump.STATUS));
    mappings = Smaps.read(dump.section(ProcessDump.SMAPS));
    shapes = new MappingShapes(mappings);
    ranges = VmRanges.of(dump);
    flags = new VmFlags(dump.section(ProcessDump.FLAGS));
    tracked = TrackedMemory.of(dump.section(ProcessDump.TRACKING));
    long heapBytes =
        tracked.heapBytes() > 0 ? tracked.heapBytes() : flags.number("MaxHeapSize").orElse(0);
    if (heapBytes > 0) {
      shapes
          .heap(heapBytes)
          .ifPresent(first -> ranges.addHeap(mappings.get(first).start(), heapBytes));
    }
    nativeHeap = NativeHeap.of(dump.section(ProcessDump.NATIVE_HEAP));
    cgroup = CgroupMemory.of(dump);
    directBytes = MemoryBeans.directBytes(dump.section(ProcessDump.BEANS));
    objectBytes = HeapInfo.objectBytes(dump.section(ProcessDump.HEAP));
    collectedObjectBytes = HeapInfo.objectBytes(dump.section(ProcessDump.COLLECTED_HEAP));
  }

  /**
   * {@return the owner of most requests to the C library, which are in its heap or in mappings of
   * their own}
   *
   * @param residentBytes the resident bytes of each owner
   */
  MemoryOwner requestOwner(ToLongFunction<MemoryOwner> residentBytes) {
    long heap = residentBytes.applyAsLong(MemoryOwner.C_HEAP);
    if (shapes.allocator().isPresent()) {
      return MemoryOwner.C_HEAP;
    }
    if (nativeHeap.isPresent()) {
      return Math.min(heap, nativeHeap.get().inUseBytes())
              < residentBytes.applyAsLong(MemoryOwner.LARGE_BLOCKS)
          ? MemoryOwner.LARGE_BLOCKS
          : MemoryOwner.C_HEAP;
    }
    // Without the figures of the C library, the shape of a mapping shows a large request.
    return heap >= tracked.requestBytes()
        ? MemoryOwner.C_HEAP
        : residentBytes.applyAsLong(MemoryOwner.LARGE_BLOCKS) > 0
            ? MemoryOwner.LARGE_BLOCKS
            : MemoryOwner.NOT_ATTRIBUTED;
  }

  /**
   * {@return the bytes of objects, live or garbage; empty if they are not known}
   *
   * @param residentBytes the resident bytes of the Java heap
   */
  OptionalLong objectBytes(long residentBytes) {
    return objectBytes.isPresent()
        ? OptionalLong.of(Math.min(residentBytes, objectBytes.getAsLong()))
        : objectBytes;
  }

  /** {@return the bytes of objects that a collection has left; empty if there was none} */
  OptionalLong liveBytes(long residentBytes) {
    long most = objectBytes(residentBytes).orElse(residentBytes);
    return collectedObjectBytes.isPresent()
        ? OptionalLong.of(Math.min(most, collectedObjectBytes.getAsLong()))
        : collectedObjectBytes;
  }
}
