package dev.stowage.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The division of mappings among owners. */
final class Attribution {

  /*
   * Each mapping has one owner. The virtual machine's list of ranges, the mapped file or the shape
   * of the mapping tells the owner. So the parts add up to the resident bytes.
   *
   * Some owners have known bytes and unknown addresses. They get the other anonymous memory, in
   * this order: regions of Stowage, the metaspace without tracking, large requests to the C
   * library, its arenas. A library that replaces the C library's allocator gets the rest. Memory
   * without an owner is not attributed.
   *
   * The kernel merges neighbouring anonymous mappings: a mapping with a table of the collector or a
   * region of Stowage may also have large requests. Bytes beyond the tables and regions belong to
   * other owners.
   */

  private static final int MOST_DETAILS = 5;

  /** A smaller difference comes from the time between two readings, not from a large request. */
  private static final long LEAST_MOVED_BYTES = 1 << 20;

  /** Follows the name of a library for its writable pages. */
  private static final String DATA = ", data";

  private final List<Mapping> mappings;
  private final MappingShapes shapes;
  private final VmRanges ranges;
  private final TrackedMemory tracked;
  private final String heapInfo;
  private final Optional<NativeHeap> nativeHeap;
  private final RegionLines regions;
  private final Map<MemoryOwner, Long> bytes = new EnumMap<>(MemoryOwner.class);
  private final Set<MemoryOwner> estimates = EnumSet.noneOf(MemoryOwner.class);

  /** The resident bytes of the mappings of each owner, by path or address. */
  private final Map<MemoryOwner, Map<String, Long>> names = new EnumMap<>(MemoryOwner.class);

  private final List<Mapping> anonymous = new ArrayList<>();
  private long anonymousBytes;

  /** The bytes of Stowage's regions in mappings that the kernel merged with other memory. */
  private long partlyRegionBytes;

  /** The bytes of the mappings with tables of the collector, resident or not. */
  private long tableBytes;

  /** The bytes of the mappings with arenas of the C library, resident or not. */
  private long arenaBytes;

  private Attribution(ProcessDump dump, DumpFigures figures) {
    mappings = figures.mappings;
    shapes = figures.shapes;
    ranges = figures.ranges;
    tracked = figures.tracked;
    heapInfo = dump.section(ProcessDump.METASPACE) + dump.section(ProcessDump.HEAP);
    nativeHeap = figures.nativeHeap;
    regions = RegionLines.of(dump.section(ProcessDump.PROPERTIES));
  }

  /** {@return the parts with resident bytes, the largest first} */
  static List<OwnedMemory> parts(ProcessDump dump, DumpFigures figures) {
    Attribution attribution = new Attribution(dump, figures);
    for (int i = 0; i < attribution.mappings.size(); i++) {
      attribution.attribute(i);
    }
    attribution.divideArenas();
    attribution.divideTables();
    attribution.divideAnonymous();
    return attribution.parts(new PartDetails(dump, figures));
  }

  private void attribute(int index) {
    Mapping mapping = mappings.get(index);
    if (mapping.residentBytes() == 0) {
      return;
    }
    Optional<MemoryOwner> known = ranges.at(mapping.start());
    if (known.isPresent()) {
      add(known.get(), mapping);
    } else if (regions.commonBytes(mapping) == mapping.bytes()) {
      add(MemoryOwner.STOWAGE, mapping);
    } else if (!mapping.isAnonymous()) {
      add(MappingShapes.owner(mapping), mapping);
    } else if (mapping.isExecutable()) {
      addEstimate(MemoryOwner.CODE_CACHE, mapping);
    } else if (isArena(index)) {
      if (nativeHeap.isPresent()) {
        add(MemoryOwner.C_HEAP, mapping);
      } else {
        addEstimate(MemoryOwner.C_HEAP, mapping);
      }
    } else if (shapes.isStack(index)) {
      addEstimate(MemoryOwner.THREAD_STACKS, mapping);
    } else if (shapes.library(index).isPresent()) {
      String library = shapes.library(index).get();
      // The zeroed data of the virtual machine's library are not pages of a file.
      add(
          MappingShapes.isVm(library) ? MemoryOwner.OTHER_VM : MemoryOwner.LIBRARIES,
          mapping,
          library + DATA);
    } else {
      partlyRegionBytes += Math.min(regions.commonBytes(mapping), mapping.residentBytes());
      anonymous.add(mapping);
      anonymousBytes += mapping.residentBytes();
    }
  }

  /**
   * {@return true if a mapping is an arena of glibc}
   *
   * <p>Other programs, such as Go programs, reserve memory in the same shape. They have no arenas
   * if they do not map the library.
   */
  private boolean isArena(int index) {
    return shapes.isArena(index) && (nativeHeap.isPresent() || shapes.hasGlibc());
  }

  private void add(MemoryOwner owner, Mapping mapping) {
    boolean isData = owner == MemoryOwner.LIBRARIES && mapping.isWritable();
    add(owner, mapping, isData ? mapping.path() + DATA : mapping.path());
  }

  private void add(MemoryOwner owner, Mapping mapping, String name) {
    if (owner == MemoryOwner.GC_STRUCTURES && mapping.isAnonymous()) {
      tableBytes += mapping.bytes();
    }
    if (owner == MemoryOwner.C_HEAP) {
      arenaBytes += mapping.bytes();
    }
    bytes.merge(owner, mapping.residentBytes(), Long::sum);
    names
        .computeIfAbsent(owner, none -> new HashMap<>())
        .merge(name, mapping.residentBytes(), Long::sum);
  }

  private void addEstimate(MemoryOwner owner, Mapping mapping) {
    add(owner, mapping);
    estimates.add(owner);
  }

  /** Moves the bytes of mappings that look like arenas but cannot be arenas. */
  private void divideArenas() {
    long resident = bytes.getOrDefault(MemoryOwner.C_HEAP, 0L);
    long beyond = resident - nativeHeap.map(NativeHeap::arenaBytes).orElse(resident);
    if (arenaBytes - nativeHeap.map(NativeHeap::arenaBytes).orElse(arenaBytes)
        >= LEAST_MOVED_BYTES) {
      estimates.add(MemoryOwner.C_HEAP);
    }
    if (beyond > 0) {
      bytes.merge(MemoryOwner.C_HEAP, -beyond, Long::sum);
      estimates.add(MemoryOwner.C_HEAP);
      anonymousBytes += beyond;
    }
  }

  /** Moves bytes beyond the collector's tables to the large requests that lack memory. */
  private void divideTables() {
    long beyond = tableBytes - tracked.tableBytes().orElse(tableBytes);
    long lacking = nativeHeap.map(NativeHeap::mappedBytes).orElse(0L) - anonymousBytes;
    long moved =
        Math.min(bytes.getOrDefault(MemoryOwner.GC_STRUCTURES, 0L), Math.min(beyond, lacking));
    if (moved >= LEAST_MOVED_BYTES) {
      bytes.merge(MemoryOwner.GC_STRUCTURES, -moved, Long::sum);
      estimates.add(MemoryOwner.GC_STRUCTURES);
      anonymousBytes += moved;
    }
  }

  private void divideAnonymous() {
    claim(MemoryOwner.STOWAGE, partlyRegionBytes);
    if (!ranges.hasUses()) {
      claim(MemoryOwner.METASPACE, HeapInfo.metaspaceBytes(heapInfo));
      claim(MemoryOwner.CLASS_SPACE, HeapInfo.classSpaceBytes(heapInfo));
    }
    claim(MemoryOwner.LARGE_BLOCKS, nativeHeap.map(NativeHeap::mappedBytes).orElse(0L));
    claim(MemoryOwner.C_HEAP, nativeHeap.map(NativeHeap::arenaBytes).orElse(0L) - arenaBytes);
    if (shapes.allocator().isPresent()) {
      claim(MemoryOwner.C_HEAP, anonymousBytes);
    } else if (nativeHeap.isEmpty() && shapes.hasGlibc()) {
      claim(MemoryOwner.GC_STRUCTURES, ranges.hasUses() ? 0 : tracked.tableBytes().orElse(0));
      claim(
          MemoryOwner.LARGE_BLOCKS,
          anonymous.stream().filter(shapes::isLargeBlock).mapToLong(Mapping::residentBytes).sum());
    }
    if (anonymousBytes > 0) {
      bytes.merge(MemoryOwner.NOT_ATTRIBUTED, anonymousBytes, Long::sum);
      Map<String, Long> ofUnknown =
          names.computeIfAbsent(MemoryOwner.NOT_ATTRIBUTED, none -> new HashMap<>());
      anonymous.forEach(mapping -> ofUnknown.put(range(mapping), mapping.residentBytes()));
    }
  }

  /** Gives an owner up to {@code mostBytes} of the anonymous memory without an owner. */
  private void claim(MemoryOwner owner, long mostBytes) {
    long claimed = Math.min(anonymousBytes, mostBytes);
    if (claimed > 0) {
      bytes.merge(owner, claimed, Long::sum);
      estimates.add(owner);
      anonymousBytes -= claimed;
    }
  }

  private static String range(Mapping mapping) {
    return String.format(
        Locale.ROOT, "%x-%x %s", mapping.start(), mapping.end(), mapping.permissions());
  }

  private List<OwnedMemory> parts(PartDetails details) {
    return bytes.entrySet().stream()
        .filter(part -> part.getValue() > 0)
        .map(part ->
            new OwnedMemory(
                part.getKey(),
                part.getValue(),
                estimates.contains(part.getKey()),
                details.of(part.getKey(), bytes, largest(part.getKey()))))
        .sorted(
            Comparator.comparingLong(OwnedMemory::bytes)
                .reversed()
                .thenComparing(OwnedMemory::owner))
        .toList();
  }

  private List<OwnedMemory.Detail> largest(MemoryOwner owner) {
    return names.getOrDefault(owner, Map.of()).entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST_DETAILS)
        .map(name -> new OwnedMemory.Detail(name.getKey(), name.getValue()))
        .toList();
  }
}
