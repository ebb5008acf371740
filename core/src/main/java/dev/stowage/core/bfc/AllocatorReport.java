package dev.stowage.core.bfc;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where an allocator's memory is: by size, by holder, and over the addresses.
 *
 * <p>{@link #toString()} is at most some forty lines, however many chunks there are.
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
      Map<String, Holder> byTag = new TreeMap<>();
      for (Allocation allocation : allocations) {
        Holder one =
            new Holder(allocation.tag(), 1, allocation.requestedBytes(), allocation.bytes());
        byTag.merge(allocation.tag(), one, Holder::plus);
      }
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
        Holder.of(space.allocations()),
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
    double reserved = space.reservedBytes();
    double[][] shares = new double[3][COLUMNS];
    double at = 0;
    ChunkTable chunks = space.chunks();
    for (AllocationRegion region : space.regions()) {
      for (int slot : space.slots(region)) {
        double bytes = chunks.bytes(slot);
        double requested = chunks.isFree(slot) ? 0 : chunks.requestedBytes(slot);
        spread(shares[0], at / reserved, (at + requested) / reserved);
        double[] rest = chunks.isFree(slot) ? shares[2] : shares[1];
        spread(rest, (at + requested) / reserved, (at + bytes) / reserved);
        at += bytes;
      }
    }
    StringBuilder bar = new StringBuilder();
    for (int column = 0; column < COLUMNS && reserved > 0; column++) {
      double asked = shares[0][column];
      double wasted = shares[1][column];
      double free = shares[2][column];
      bar.append(asked >= wasted && asked >= free ? '*' : wasted >= free ? 'x' : '_');
    }
    return bar.toString();
  }

  /** Adds the part of [from, to) of everything to each column that it reaches into. */
  private static void spread(double[] columns, double from, double to) {
    double start = from * COLUMNS;
    double end = to * COLUMNS;
    for (int column = (int) start; column < Math.min(COLUMNS, Math.ceil(end)); column++) {
      columns[column] += Math.min(end, column + 1) - Math.max(start, column);
    }
  }

  /** {@return the report as lines of text} */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "allocator '%s': %s in use (%s asked for) by %,d allocations, %s reserved in %,d regions, limit %s",
            allocator,
            text(statistics.bytesInUse()),
            text(statistics.requestedBytesInUse()),
            statistics.chunksInUse(),
            text(statistics.reservedBytes()),
            regionCount,
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
      lines.add(line("(%,d other tags)".formatted(others.size()), others));
    }
  }

  private static String line(String name, List<Holder> holders) {
    return String.format(
        Locale.ROOT,
        "%14s in %,d allocations: %s",
        text(holders.stream().mapToLong(Holder::bytes).sum()),
        holders.stream().mapToLong(Holder::allocations).sum(),
        name);
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
