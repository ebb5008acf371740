package dev.stowage.core.bfc;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Where an allocator's memory is: by size, by holder, and over the addresses.
 *
 * <p>{@link #toString()} is some forty lines at most, however many chunks there are.
 *
 * @param allocator its name
 * @param statistics its numbers
 * @param regionCount how many regions it holds
 * @param bins its chunks by size, those of no chunks left out
 * @param holders who holds memory, the largest first, of equal ones the first by name
 * @param occupancy the regions by ascending address in 100 columns: {@code *} mostly asked for,
 *     {@code x} mostly taken and not asked for, {@code _} mostly free; empty where nothing is held
 */
public record AllocatorReport(
    String allocator,
    AllocatorStatistics statistics,
    int regionCount,
    List<Bin> bins,
    List<Holder> holders,
    String occupancy)
    implements Serializable {

  private static final int COLUMNS = 100;

  /** More holders than this are summed up. */
  private static final int HOLDERS_SHOWN = 10;

  /** A report. */
  public AllocatorReport {
    bins = List.copyOf(bins);
    holders = List.copyOf(holders);
  }

  /**
   * The chunks of one size class: up to twice the smallest, or, in the last one, any larger.
   *
   * @param smallestBytes the smallest chunk that belongs here
   * @param freeChunks how many are free
   * @param freeBytes what they have together
   * @param chunksInUse how many are in use
   * @param bytesInUse what they have together
   */
  public record Bin(
      long smallestBytes, long freeChunks, long freeBytes, long chunksInUse, long bytesInUse)
      implements Serializable {}

  /**
   * What is in use under one tag.
   *
   * @param tag the path of tags, empty for what was allocated under none
   * @param allocations how many there are
   * @param requestedBytes what was asked for
   * @param bytes what they take
   */
  public record Holder(String tag, long allocations, long requestedBytes, long bytes)
      implements Serializable {

    /** {@return the holders of allocations, the largest first} */
    static List<Holder> of(List<Allocation> allocations) {
      return of(
          allocations.stream()
              .map(one -> new Holder(one.tag(), 1, one.requestedBytes(), one.bytes())));
    }

    /** {@return the holders of all that is in use, the largest first; no stack is looked at} */
    private static List<Holder> of(RegionSpace space) {
      ChunkTable chunks = space.chunks();
      return of(
          space.slotsInUse().stream()
              .map(slot ->
                  new Holder(
                      chunks.origin(slot).tag(),
                      1,
                      chunks.requestedBytes(slot),
                      chunks.bytes(slot))));
    }

    private static List<Holder> of(Stream<Holder> ones) {
      Map<String, Holder> byTag = new TreeMap<>();
      ones.forEach(one -> byTag.merge(one.tag(), one, Holder::plus));
      return byTag.values().stream()
          .sorted(Comparator.comparingLong(Holder::bytes).reversed())
          .toList();
    }

    private Holder plus(Holder other) {
      return new Holder(
          tag,
          allocations + other.allocations,
          requestedBytes + other.requestedBytes,
          bytes + other.bytes);
    }
  }

  static AllocatorReport of(String allocator, RegionSpace space) {
    return new AllocatorReport(
        allocator,
        space.statistics(),
        space.regions().size(),
        bins(space),
        Holder.of(space),
        occupancy(space));
  }

  private static List<Bin> bins(RegionSpace space) {
    long[][] sums = new long[FreeChunks.BIN_COUNT][4];
    ChunkTable chunks = space.chunks();
    for (AllocationRegion region : space.regions()) {
      for (int slot : space.slots(region)) {
        long[] sum = sums[FreeChunks.bin(chunks.bytes(slot))];
        int first = chunks.isFree(slot) ? 0 : 2;
        sum[first]++;
        sum[first + 1] += chunks.bytes(slot);
      }
    }
    List<Bin> bins = new ArrayList<>();
    for (int bin = 0; bin < sums.length; bin++) {
      long[] sum = sums[bin];
      if (sum[0] + sum[2] > 0) {
        bins.add(new Bin(ChunkTable.QUANTUM_BYTES << bin, sum[0], sum[1], sum[2], sum[3]));
      }
    }
    return bins;
  }

  private static String occupancy(RegionSpace space) {
    if (space.reservedBytes() == 0) {
      return "";
    }
    Occupancy occupancy = new Occupancy(space.reservedBytes());
    ChunkTable chunks = space.chunks();
    for (AllocationRegion region : space.regions()) {
      for (int slot : space.slots(region)) {
        if (chunks.isFree(slot)) {
          occupancy.add('_', chunks.bytes(slot));
        } else {
          occupancy.add('*', chunks.requestedBytes(slot));
          occupancy.add('x', chunks.bytes(slot) - chunks.requestedBytes(slot));
        }
      }
    }
    return occupancy.bar();
  }

  /** What most of each column is, in whole numbers: a column has as many parts as all has bytes. */
  private static final class Occupancy {

    private static final String KINDS = "*x_";

    /** Beyond 2^56 bytes, parts of columns would not fit. */
    private final int shift;

    private final long partsPerColumn;
    private final long[][] parts = new long[KINDS.length()][COLUMNS];
    private long bytesBefore;

    Occupancy(long allBytes) {
      shift = Math.max(0, 8 - Long.numberOfLeadingZeros(allBytes));
      partsPerColumn = allBytes >>> shift;
    }

    /** Adds what comes next. */
    void add(char kind, long bytes) {
      long at = COLUMNS * (bytesBefore >>> shift);
      bytesBefore += bytes;
      long end = Math.min(COLUMNS * (bytesBefore >>> shift), COLUMNS * partsPerColumn);
      long[] ofKind = parts[KINDS.indexOf(kind)];
      while (at < end) {
        int column = (int) (at / partsPerColumn);
        long next = Math.min(end, (column + 1) * partsPerColumn);
        ofKind[column] += next - at;
        at = next;
      }
    }

    /** {@return the bar; of equal parts the first of {@code *x_}} */
    String bar() {
      StringBuilder bar = new StringBuilder();
      for (int column = 0; column < COLUMNS; column++) {
        int most = 0;
        for (int kind = 1; kind < KINDS.length(); kind++) {
          most = parts[kind][column] > parts[most][column] ? kind : most;
        }
        bar.append(KINDS.charAt(most));
      }
      return bar.toString();
    }
  }

  /** {@return the report as lines of text} */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "allocator '%s': %s in use (%s asked for) by %s, %s reserved in %s, limit %s",
            allocator,
            text(statistics.bytesInUse()),
            text(statistics.requestedBytesInUse()),
            counted(statistics.chunksInUse(), "allocation"),
            text(statistics.reservedBytes()),
            counted(regionCount, "region"),
            statistics.limitBytes() == Long.MAX_VALUE ? "none" : text(statistics.limitBytes())));
    lines.add(
        String.format(
            Locale.ROOT,
            "peak %s in use, %s reserved; largest free chunk %s; fragmentation %.1f %% external, %.1f %% internal",
            text(statistics.peakBytesInUse()),
            text(statistics.peakReservedBytes()),
            text(statistics.largestFreeChunkBytes()),
            100 * statistics.externalFragmentation(),
            100 * statistics.internalFragmentation()));
    if (!occupancy.isEmpty()) {
      lines.add("[" + occupancy + "]  * asked for, x taken besides, _ free");
    }
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
              text(bin.smallestBytes()),
              bin.chunksInUse(),
              text(bin.bytesInUse()),
              bin.freeChunks(),
              text(bin.freeBytes())));
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
        text(holders.stream().mapToLong(Holder::bytes).sum()),
        counted(holders.stream().mapToLong(Holder::allocations).sum(), "allocation"),
        name);
  }

  private static String counted(long count, String noun) {
    return String.format(Locale.ROOT, count == 1 ? "%,d %s" : "%,d %ss", count, noun);
  }

  /** {@return bytes in the largest unit of which there is one} */
  static String text(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    String format = value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s";
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, format, value, units[unit]);
  }
}
