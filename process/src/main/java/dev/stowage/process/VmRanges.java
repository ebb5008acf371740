package dev.stowage.process;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ranges of addresses with an owner that the virtual machine knows. */
final class VmRanges {

  /*
   * With Native Memory Tracking, System.map has the use of each mapping. Without it, other texts
   * have the addresses of the Java heap and of the code cache. VM.info has more addresses, but
   * leaves 5 MiB in the process. The full VM.metaspace has the addresses of the metaspace, but
   * stops the process for tens of milliseconds.
   */

  private static final Pattern MAPPED =
      Pattern.compile(
          "0x(\\p{XDigit}{16})-0x(\\p{XDigit}{16}) +\\d+ \\S{4} +\\d+ +\\d+ +\\S+ +\\S+"
              + " +([A-Z]+)\\S* .*");

  /** The addresses of a heap, generation or space: start, end of the committed bytes, end. */
  private static final Pattern HEAP =
      Pattern.compile(
          ".*\\[0x(\\p{XDigit}{16}), (?:0x\\p{XDigit}{16}, )?0x(\\p{XDigit}{16})[)\\]].*");

  private static final Pattern CODE =
      Pattern.compile(" bounds \\[0x(\\p{XDigit}{16}), 0x\\p{XDigit}{16}, 0x(\\p{XDigit}{16})].*");

  private record Range(long end, MemoryOwner owner) {}

  private final TreeMap<Long, Range> ranges = new TreeMap<>();

  private boolean hasUses;

  private VmRanges() {}

  /** {@return the ranges in the texts of a virtual machine; none if the texts have none} */
  static VmRanges of(ProcessDump dump) {
    VmRanges ranges = new VmRanges();
    dump.section(ProcessDump.MAP).lines().forEach(ranges::readMapped);
    ranges.hasUses = !ranges.ranges.isEmpty();
    if (!ranges.hasUses) {
      ranges.read(dump.section(ProcessDump.HEAP), HEAP, MemoryOwner.JAVA_HEAP);
      ranges.read(dump.section(ProcessDump.CODE), CODE, MemoryOwner.CODE_CACHE);
    }
    return ranges;
  }

  private void readMapped(String line) {
    Matcher mapped = MAPPED.matcher(line);
    if (mapped.matches()) {
      MemoryOwner owner =
          switch (mapped.group(3)) {
            case "JAVAHEAP" -> MemoryOwner.JAVA_HEAP;
            case "META" -> MemoryOwner.METASPACE;
            case "CLASS" -> MemoryOwner.CLASS_SPACE;
            case "CDS" -> MemoryOwner.SHARED_CLASSES;
            case "CODE" -> MemoryOwner.CODE_CACHE;
            case "STACK" -> MemoryOwner.THREAD_STACKS;
            case "GC", "CARDTBL" -> MemoryOwner.GC_STRUCTURES;
            default -> MemoryOwner.OTHER_VM;
          };
      add(mapped, owner);
    }
  }

  private void read(String text, Pattern pattern, MemoryOwner owner) {
    text.lines().map(pattern::matcher).filter(Matcher::matches).forEach(line -> add(line, owner));
  }

  private void add(Matcher range, MemoryOwner owner) {
    long start = Long.parseUnsignedLong(range.group(1), 16);
    long end = Long.parseUnsignedLong(range.group(2), 16);
    ranges.merge(
        start,
        new Range(end, owner),
        (before, now) -> Long.compareUnsigned(before.end(), now.end()) < 0 ? now : before);
  }

  /** Adds the range of the Java heap if no text has it. */
  void addHeap(long start, long bytes) {
    if (ranges.values().stream().noneMatch(range -> range.owner() == MemoryOwner.JAVA_HEAP)) {
      ranges.put(start, new Range(start + bytes, MemoryOwner.JAVA_HEAP));
    }
  }

  /** {@return true if the virtual machine tells the use of each of its mappings} */
  boolean hasUses() {
    return hasUses;
  }

  /** {@return the owner of the range that contains an address, if the virtual machine knows it} */
  Optional<MemoryOwner> at(long address) {
    Map.Entry<Long, Range> below = ranges.floorEntry(address);
    return below != null && address < below.getValue().end()
        ? Optional.of(below.getValue().owner())
        : Optional.empty();
  }
}
