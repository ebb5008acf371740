package dev.stowage.process;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The figures in the texts of a dump, each of which is read once. */
final class DumpFigures {

  final ProcessStatus status;

  /** The mappings by ascending address. */
  final List<Mapping> mappings;

  final VmFlags flags;
  final TrackedMemory tracked;
  final Optional<NativeHeap> nativeHeap;
  final Optional<CgroupMemory> cgroup;

  /** The bytes of direct buffers, if the process itself made the dump. */
  final OptionalLong directBytes;

  private final Optional<JavaHeap> heap;
  private final Optional<JavaHeap> collectedHeap;

  DumpFigures(ProcessDump dump) {
    status = new ProcessStatus(dump.section(ProcessDump.STATUS));
    mappings = Smaps.read(dump.section(ProcessDump.SMAPS));
    flags = new VmFlags(dump.section(ProcessDump.FLAGS));
    tracked = TrackedMemory.of(dump.section(ProcessDump.TRACKING));
    nativeHeap = NativeHeap.of(dump.section(ProcessDump.NATIVE_HEAP));
    cgroup = CgroupMemory.of(dump);
    directBytes = MemoryBeans.directBytes(dump.section(ProcessDump.BEANS));
    heap = JavaHeap.of(dump.section(ProcessDump.HEAP));
    collectedHeap = JavaHeap.of(dump.section(ProcessDump.COLLECTED_HEAP));
  }

  /**
   * {@return the bytes of objects, live or garbage; empty if they are not known}
   *
   * @param residentBytes the resident bytes of the Java heap
   */
  OptionalLong objectBytes(long residentBytes) {
    return heap.isPresent()
        ? OptionalLong.of(Math.min(residentBytes, heap.get().usedBytes()))
        : OptionalLong.empty();
  }

  /** {@return the bytes of objects that a collection has left; empty if there was none} */
  OptionalLong liveBytes(long residentBytes) {
    return collectedHeap.isPresent()
        ? OptionalLong.of(
            Math.min(
                objectBytes(residentBytes).orElse(residentBytes), collectedHeap.get().usedBytes()))
        : OptionalLong.empty();
  }
}
