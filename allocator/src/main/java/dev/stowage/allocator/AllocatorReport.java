package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A report of an allocator's memory by size and by holder.
 *
 * <p>{@link #toString()} returns about forty lines at most, for any number of chunks.
 *
 * @param allocator the name of the allocator
 * @param statistics the statistics of the allocator
 * @param regionCount the number of its regions
 * @param bins the chunks by ascending size, without sizes that have none
 * @param holders the holders of memory, the largest first, of equal ones the first by name
 */
public record AllocatorReport(
    String allocator,
    AllocatorStatistics statistics,
    int regionCount,
    @SuppressWarnings("serial") // an immutable list of the JDK is serializable
        List<Bin> bins,
    @SuppressWarnings("serial") List<Holder> holders)
    implements Serializable {

  /** The number of holders that the text lists; it sums up the others. */
  private static final int HOLDERS_SHOWN = 10;

  /** Creates a report. */
  public AllocatorReport {
    bins = List.copyOf(bins);
    holders = List.copyOf(holders);
  }

  /**
   * The chunks of a range of sizes, from the smallest to below twice the smallest. The last bin has
   * no upper end.
   *
   * @param smallestBytes the smallest size
   * @param freeChunks the number of free chunks
   * @param freeBytes their bytes
   * @param chunksInUse the number of chunks in use
   * @param bytesInUse their bytes
   */
  public record Bin(
      long smallestBytes, long freeChunks, long freeBytes, long chunksInUse, long bytesInUse)
      implements Serializable {}

  /**
   * The allocations in use with one tag.
   *
   * @param tag the path of tags, empty for allocations without a tag
   * @param allocations the number of allocations
   * @param requestedBytes the bytes that callers requested
   * @param bytes the bytes of their chunks
   */
  public record Holder(String tag, long allocations, long requestedBytes, long bytes)
      implements Serializable {

    /** {@return the holders of allocations, the largest first} */
    static List<Holder> of(List<Allocation> allocations) {
      return sums(
          allocations.stream()
              .map(one -> new Holder(one.tag(), 1, one.requestedBytes(), one.bytes())));
    }

    /** {@return the sums by tag, the largest first} */
    static List<Holder> sums(Stream<Holder> ones) {
      Map<String, Holder> byTag = new TreeMap<>();
      ones.forEach(one -> byTag.merge(one.tag(), one, Holder::plus));
      return byTag.values().stream()
          .sorted(Comparator.comparingLong(Holder::bytes).reversed())
          .toList();
    }

    Holder plus(Holder other) {
      return new Holder(
          tag,
          allocations + other.allocations,
          requestedBytes + other.requestedBytes,
          bytes + other.bytes);
    }
  }

  /** {@return the report as lines of text} */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "allocator '%s': %s in use (%s requested) by %s, %s reserved in %s, limit %s",
            allocator,
            ByteCount.text(statistics.bytesInUse()),
            ByteCount.text(statistics.requestedBytesInUse()),
            counted(statistics.chunksInUse(), "allocation"),
            ByteCount.text(statistics.reservedBytes()),
            counted(regionCount, "region"),
            statistics.limitBytes() == Long.MAX_VALUE
                ? "none"
                : ByteCount.text(statistics.limitBytes())));
    lines.add(
        String.format(
            Locale.ROOT,
            "peak %s in use, %s reserved; largest free chunk %s; fragmentation %.1f %% external, %.1f %% internal",
            ByteCount.text(statistics.peakBytesInUse()),
            ByteCount.text(statistics.peakReservedBytes()),
            ByteCount.text(statistics.largestFreeChunkBytes()),
            100 * statistics.externalFragmentation(),
            100 * statistics.internalFragmentation()));
    addBins(lines);
    addHolders(lines);
    return String.join("\n", lines);
  }

  private void addBins(List<String> lines) {
    if (!bins.isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-12s %10s %14s %10s %14s",
              "chunks from",
              "in use",
              "bytes",
              "free",
              "bytes"));
    }
    for (Bin bin : bins) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-12s %,10d %14s %,10d %14s",
              ByteCount.text(bin.smallestBytes()),
              bin.chunksInUse(),
              ByteCount.text(bin.bytesInUse()),
              bin.freeChunks(),
              ByteCount.text(bin.freeBytes())));
    }
  }

  private void addHolders(List<String> lines) {
    for (Holder holder : holders.subList(0, Math.min(HOLDERS_SHOWN, holders.size()))) {
      lines.add(line(holder.tag().isEmpty() ? "(no tag)" : holder.tag(), List.of(holder)));
    }
    if (holders.size() > HOLDERS_SHOWN) {
      List<Holder> others = holders.subList(HOLDERS_SHOWN, holders.size());
      lines.add(line("(" + counted(others.size(), "more tag") + ")", others));
    }
  }

  private static String line(String name, List<Holder> holders) {
    return String.format(
        Locale.ROOT,
        "%14s in %s: %s",
        ByteCount.text(holders.stream().mapToLong(Holder::bytes).sum()),
        counted(holders.stream().mapToLong(Holder::allocations).sum(), "allocation"),
        name);
  }

  static String counted(long count, String noun) {
    return String.format(Locale.ROOT, count == 1 ? "%,d %s" : "%,d %ss", count, noun);
  }
}
