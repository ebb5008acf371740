package dev.stowage.process;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ranges of addresses whose owner the virtual machine knows. */
final class VmRanges {

  /*
   * With Native Memory Tracking, System.map gives a use to each mapping. Without it, the Java heap, the
   * code cache and the metaspace have addresses in other texts. VM.info has more of them, but it leaves
   * 5 MiB more in the process.
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

  /** A node of the metaspace: its first address and its bytes. */
  private static final Pattern NODE =
      Pattern.compile("- node #\\d+: base 0x(\\p{XDigit}{16}): reserved=(\\d{1,12})\\.00 KB.*");

  private record Range(long end, MemoryOwner owner) {}

  private final TreeMap<Long, Range> ranges = new TreeMap<>();

  private VmRanges() {}

  /** {@return the ranges in the texts of a virtual machine; none if it tells none} */
  static VmRanges of(ProcessDump dump) {
    VmRanges ranges = new VmRanges();
    dump.section(ProcessDump.MAP).lines().forEach(ranges::readMapped);
    if (ranges.ranges.isEmpty()) {
      ranges.read(dump.section(ProcessDump.HEAP), HEAP, MemoryOwner.JAVA_HEAP);
      ranges.read(dump.section(ProcessDump.CODE), CODE, MemoryOwner.CODE_CACHE);
      ranges.readMetaspace(dump.section(ProcessDump.METASPACE));
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

  private void readMetaspace(String text) {
    MemoryOwner owner = MemoryOwner.METASPACE;
    for (String line : text.lines().toList()) {
      Matcher node = NODE.matcher(line);
      if (line.startsWith("vsl class-space")) {
        owner = MemoryOwner.CLASS_SPACE;
      } else if (node.matches()) {
        long start = Long.parseUnsignedLong(node.group(1), 16);
        add(start, start + Long.parseLong(node.group(2)) * 1024, owner);
      }
    }
  }

  private void add(Matcher range, MemoryOwner owner) {
    add(
        Long.parseUnsignedLong(range.group(1), 16),
        Long.parseUnsignedLong(range.group(2), 16),
        owner);
  }

  private void add(long start, long end, MemoryOwner owner) {
    ranges.merge(
        start,
        new Range(end, owner),
        (before, now) -> Long.compareUnsigned(before.end(), now.end()) < 0 ? now : before);
  }

  /** {@return the owner of the range that contains an address, if the virtual machine knows it} */
  Optional<MemoryOwner> at(long address) {
    Map.Entry<Long, Range> below = ranges.floorEntry(address);
    return below != null && address < below.getValue().end()
        ? Optional.of(below.getValue().owner())
        : Optional.empty();
  }
}
