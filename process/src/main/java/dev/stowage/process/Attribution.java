package dev.stowage.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The division of mappings among owners. */
final class Attribution {

  /*
   * Each mapping has one owner: that of the virtual machine's range around it, or that of its file, or
   * one that its shape shows. So the parts add up to the resident bytes.
   *
   *   | arena     |  reserved      |    glibc: both together are 64 MiB, at a multiple of 64 MiB
   *   |guard| stack             |       a guard of up to 64 KiB that is not accessible, then the stack
   *
   * Other anonymous memory is that of large requests to the C library, as far as malloc_info tells so
   * many bytes, and is not attributed otherwise.
   *
   * The kernel merges neighbouring anonymous mappings, so that one with a table of the collector may
   * also have large requests. The bytes of such mappings beyond those of all tables are not of tables.
   */

  private static final long ARENA_BYTES = 64L << 20;
  private static final long MOST_GUARD_BYTES = 64 << 10;
  private static final long MOST_STACK_BYTES = 16 << 20;
  private static final int MOST_FILES = 5;

  private final List<Mapping> mappings;
  private final VmRanges ranges;
  private final TrackedMemory tracked;
  private final Optional<NativeHeap> nativeHeap;
  private final Optional<JavaHeap> javaHeap;
  private final Map<MemoryOwner, Long> bytes = new EnumMap<>(MemoryOwner.class);
  private final Set<MemoryOwner> estimates = EnumSet.noneOf(MemoryOwner.class);
  private final Map<MemoryOwner, Map<String, Long>> files = new EnumMap<>(MemoryOwner.class);
  private long anonymousBytes;

  /** The bytes of the mappings with tables of the collector, resident or not. */
  private long tableBytes;

  private Attribution(ProcessTexts texts) {
    mappings = Smaps.read(texts.text(ProcessTexts.SMAPS));
    ranges = VmRanges.of(texts);
    tracked = TrackedMemory.of(texts.text(ProcessTexts.TRACKING));
    nativeHeap = NativeHeap.of(texts.text(ProcessTexts.NATIVE_HEAP));
    javaHeap = JavaHeap.of(texts.text(ProcessTexts.HEAP));
  }

  /** {@return the parts with resident bytes, the largest first} */
  static List<OwnedMemory> parts(ProcessTexts texts) {
    Attribution attribution = new Attribution(texts);
    for (int i = 0; i < attribution.mappings.size(); i++) {
      attribution.attribute(i);
    }
    attribution.divideTables();
    attribution.divideAnonymous();
    return attribution.parts();
  }

  private void attribute(int index) {
    Mapping mapping = mappings.get(index);
    if (mapping.residentBytes() == 0) {
      return;
    }
    Optional<MemoryOwner> known = ranges.at(mapping.start());
    if (known.isPresent()) {
      add(known.get(), mapping);
    } else if (!mapping.isAnonymous()) {
      add(ofPath(mapping), mapping);
    } else if (mapping.isExecutable()) {
      addEstimate(MemoryOwner.CODE_CACHE, mapping);
    } else if (isArena(index)) {
      add(MemoryOwner.C_HEAP, mapping);
    } else if (isStack(index)) {
      addEstimate(MemoryOwner.THREAD_STACKS, mapping);
    } else {
      anonymousBytes += mapping.residentBytes();
    }
  }

  private static MemoryOwner ofPath(Mapping mapping) {
    String path = mapping.path();
    if (path.equals("[heap]")) {
      return MemoryOwner.C_HEAP;
    }
    if (path.startsWith("[stack")) {
      return MemoryOwner.THREAD_STACKS;
    }
    if (path.contains("memfd:java_heap")) {
      return MemoryOwner.JAVA_HEAP;
    }
    if (path.endsWith(".jsa")) {
      return MemoryOwner.SHARED_CLASSES;
    }
    if (path.startsWith("[") || path.endsWith("/lib/modules")) {
      return MemoryOwner.OTHER_VM;
    }
    if (path.startsWith("/dev/shm/")
        || path.startsWith("/SYSV")
        || path.startsWith("/dev/zero")
        || path.startsWith("/memfd:")) {
      return MemoryOwner.SHARED_MEMORY;
    }
    boolean isLibrary = path.endsWith(".so") || path.contains(".so.") || path.endsWith("/bin/java");
    return isLibrary || mapping.isExecutable() ? MemoryOwner.LIBRARIES : MemoryOwner.MAPPED_FILES;
  }

  /** {@return true if a mapping is the used part of an arena of glibc} */
  private boolean isArena(int index) {
    Mapping used = mappings.get(index);
    if (used.start() % ARENA_BYTES != 0) {
      return false;
    }
    long end = used.start() + ARENA_BYTES;
    if (used.end() == end) {
      return true;
    }
    return index + 1 < mappings.size()
        && mappings.get(index + 1).start() == used.end()
        && mappings.get(index + 1).end() == end
        && mappings.get(index + 1).isInaccessible();
  }

  private boolean isStack(int index) {
    if (index == 0) {
      return false;
    }
    Mapping guard = mappings.get(index - 1);
    Mapping stack = mappings.get(index);
    return guard.isInaccessible()
        && guard.isAnonymous()
        && guard.end() == stack.start()
        && guard.bytes() <= MOST_GUARD_BYTES
        && stack.bytes() <= MOST_STACK_BYTES;
  }

  private void add(MemoryOwner owner, Mapping mapping) {
    if (owner == MemoryOwner.GC_STRUCTURES && mapping.isAnonymous()) {
      tableBytes += mapping.bytes();
    }
    bytes.merge(owner, mapping.residentBytes(), Long::sum);
    if (owner == MemoryOwner.LIBRARIES || owner == MemoryOwner.MAPPED_FILES) {
      files
          .computeIfAbsent(owner, none -> new HashMap<>())
          .merge(mapping.path(), mapping.residentBytes(), Long::sum);
    }
  }

  private void addEstimate(MemoryOwner owner, Mapping mapping) {
    add(owner, mapping);
    estimates.add(owner);
  }

  /** Moves the bytes that cannot be of tables to the large requests, if these lack them. */
  private void divideTables() {
    long beyond = tableBytes - tracked.tableBytes().orElse(tableBytes);
    long lacking = nativeHeap.map(NativeHeap::mappedBytes).orElse(0L) - anonymousBytes;
    long moved =
        Math.min(bytes.getOrDefault(MemoryOwner.GC_STRUCTURES, 0L), Math.min(beyond, lacking));
    if (moved > 0) {
      bytes.merge(MemoryOwner.GC_STRUCTURES, -moved, Long::sum);
      estimates.add(MemoryOwner.GC_STRUCTURES);
      anonymousBytes += moved;
    }
  }

  private void divideAnonymous() {
    long large = Math.min(anonymousBytes, nativeHeap.map(NativeHeap::mappedBytes).orElse(0L));
    if (large > 0) {
      bytes.merge(MemoryOwner.LARGE_BLOCKS, large, Long::sum);
      estimates.add(MemoryOwner.LARGE_BLOCKS);
    }
    if (anonymousBytes > large) {
      bytes.merge(MemoryOwner.NOT_ATTRIBUTED, anonymousBytes - large, Long::sum);
    }
  }

  private List<OwnedMemory> parts() {
    return bytes.entrySet().stream()
        .map(part ->
            new OwnedMemory(
                part.getKey(),
                part.getValue(),
                estimates.contains(part.getKey()),
                details(part.getKey(), part.getValue())))
        .sorted(
            Comparator.comparingLong(OwnedMemory::bytes)
                .reversed()
                .thenComparing(OwnedMemory::owner))
        .toList();
  }

  private List<OwnedMemory.Detail> details(MemoryOwner owner, long resident) {
    List<OwnedMemory.Detail> details = new ArrayList<>();
    switch (owner) {
      case JAVA_HEAP ->
          javaHeap.ifPresent(heap -> {
            details.add(
                new OwnedMemory.Detail(
                    "objects, live or garbage", Math.min(resident, heap.usedBytes())));
            details.add(new OwnedMemory.Detail("free", Math.max(0, resident - heap.usedBytes())));
          });
      case C_HEAP ->
          nativeHeap.ifPresent(heap -> {
            details.add(
                new OwnedMemory.Detail(
                    "in use in " + heap.arenas() + " arenas",
                    heap.arenaBytes() - heap.freeBytes()));
            details.add(new OwnedMemory.Detail("free, some of it not resident", heap.freeBytes()));
            if (!bytes.containsKey(MemoryOwner.LARGE_BLOCKS)) {
              details.addAll(tracked.requests());
            }
          });
      case LARGE_BLOCKS -> details.addAll(tracked.requests());
      case LIBRARIES, MAPPED_FILES ->
          files.getOrDefault(owner, Map.of()).entrySet().stream()
              .sorted(
                  Map.Entry.<String, Long>comparingByValue()
                      .reversed()
                      .thenComparing(Map.Entry.comparingByKey()))
              .limit(MOST_FILES)
              .map(file -> new OwnedMemory.Detail(file.getKey(), file.getValue()))
              .forEach(details::add);
      default -> {}
    }
    return details;
  }
}
