package dev.stowage.process;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The text of a dump whose process has chosen amounts of memory. */
final class SampleText {

  private static final long MIB = 1 << 20;

  private final StringBuilder smaps = new StringBuilder();
  private final StringBuilder map = new StringBuilder();
  private final Map<String, String> sections = new LinkedHashMap<>();
  private long next = 0x7000_0000_0000L;
  private long threads = 20;
  private String command = "java";

  /** Adds a library of 200 MiB, so that the least growth is 2 MiB, and a use without memory. */
  SampleText() {
    used("SYMBOL", 0);
    file("/usr/lib/libbig.so", 200);
  }

  SampleText time(long seconds) {
    sections.put(ProcessDump.TIME, seconds + "\n");
    return this;
  }

  SampleText command(String name) {
    command = name;
    return this;
  }

  SampleText threads(long count) {
    threads = count;
    return this;
  }

  /** Adds a mapping of a file, or one with a name in brackets, and {@return this} */
  SampleText file(String path, long mebibytes) {
    mapping(path, mebibytes);
    return this;
  }

  SampleText anonymous(long mebibytes) {
    mapping("", mebibytes);
    return this;
  }

  /** Adds a mapping whose use the virtual machine knows, such as {@code META}. */
  SampleText used(String use, long mebibytes) {
    long start = mapping("", mebibytes);
    map.append(
        String.format(
            Locale.ROOT,
            "0x%016x-0x%016x %10d rw-p %10d %10d -    -    %s %n",
            start,
            start + mebibytes * MIB,
            mebibytes * MIB,
            mebibytes * MIB,
            0,
            use));
    return this;
  }

  /** Adds a region of Stowage's allocators. */
  SampleText region(long mebibytes) {
    long start = mapping("", mebibytes);
    return section(
        ProcessDump.PROPERTIES,
        String.format(Locale.ROOT, "dev.stowage.region.%x=%x%n", start, start + mebibytes * MIB));
  }

  private long mapping(String path, long mebibytes) {
    long start = next;
    long end = start + Math.max(1, mebibytes) * MIB;
    next = end + MIB; // so that mappings are no neighbours
    smaps.append(
        String.format(
            Locale.ROOT,
            "%x-%x rw-p 00000000 00:00 0 %s%nRss: %d kB%n",
            start,
            end,
            path,
            mebibytes * 1024));
    return start;
  }

  SampleText objects(long mebibytes) {
    return section(ProcessDump.HEAP, heap(mebibytes));
  }

  SampleText liveObjects(long mebibytes) {
    return section(ProcessDump.COLLECTED_HEAP, heap(mebibytes));
  }

  private static String heap(long mebibytes) {
    return "garbage-first heap   total 1048576K, used " + mebibytes * 1024 + "K [0x0, 0x1)\n";
  }

  /** Sets the figures of the C library in MiB. */
  SampleText nativeHeap(long inUse, long free, long mapped) {
    return section(
        ProcessDump.NATIVE_HEAP,
        String.format(
            Locale.ROOT,
            """
            <heap nr="0">
            </heap>
            <total type="fast" count="0" size="0"/>
            <total type="rest" count="1" size="%d"/>
            <total type="mmap" count="1" size="%d"/>
            <system type="current" size="%d"/>
            """,
            free * MIB,
            mapped * MIB,
            (inUse + free) * MIB));
  }

  /** Sets the bytes of a purpose in Native Memory Tracking. */
  SampleText tracked(String category, long mebibytes) {
    sections.merge(
        ProcessDump.TRACKING,
        String.format(
            Locale.ROOT,
            "-    %s (reserved=1KB, committed=1KB)%n       (malloc=%dKB #1)%n",
            category,
            mebibytes * 1024),
        String::concat);
    return this;
  }

  /** Adds a line of a bean. */
  SampleText bean(long mebibytes, String name) {
    sections.merge(ProcessDump.BEANS, mebibytes * MIB + " 0 " + name + "\n", String::concat);
    return this;
  }

  private SampleText section(String name, String text) {
    sections.put(name, text);
    return this;
  }

  MemorySample sample() {
    Map<String, String> all = new LinkedHashMap<>(sections);
    all.put(
        ProcessDump.STATUS,
        "Name:\t" + command + "\nState:\tS (sleeping)\nPid:\t7\nThreads:\t" + threads + "\n");
    all.put(ProcessDump.MAP, map.toString());
    all.put(ProcessDump.SMAPS, smaps.toString());
    return new MemorySample(new ProcessDump(all));
  }
}
