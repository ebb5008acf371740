package dev.stowage.cli.failure;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The chunks and sums in a report of a BFC allocator, which may be cut anywhere.
 *
 * <p>After {@code DumpMemoryLog} and {@code RenderOccupancy} in {@code bfc_allocator.cc}.
 */
final class BfcChunks {

  private static final Pattern CHUNK =
      Pattern.compile(
          "(InUse|Chunk|Free) at (?:0x)?\\p{XDigit}{1,16}(?: next \\d{1,20})? of size (\\d{1,18})\\b");

  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,9}) Chunks of size (\\d{1,18}) totalling");

  private static final Pattern TOTALS =
      Pattern.compile("total_region_allocated_bytes_: (\\d{1,18}) memory_limit_: (\\d{1,18})\\b");

  private static final Pattern STATISTICS =
      Pattern.compile("Limit: (\\d{1,18}) InUse: (\\d{1,18})\\b");

  /** A map of 100 characters. Each {@code _} is a free hundredth of the pool. */
  private static final Pattern MAP = Pattern.compile("[*_x]{100}");

  private static final long MOST = Long.MAX_VALUE / 4;

  private long inUse;
  private long free;
  private long largest;
  private long largestInUse;
  private long size;
  private long sizeBytes;
  private long sizesBytes;
  private boolean isEmpty = true;
  private boolean isEnded;
  private Optional<PrintedBytes> total = Optional.empty();
  private Optional<PrintedBytes> limit = Optional.empty();
  private Optional<PrintedBytes> statedInUse = Optional.empty();
  private Optional<PrintedBytes> poolMost = Optional.empty();

  /** {@return true if a text starts with a chunk, which may be cut} */
  static boolean isChunk(String text) {
    return text.startsWith("InUse at ")
        || text.startsWith("Chunk at ")
        || text.startsWith("Free at ");
  }

  /**
   * {@return true if the list of chunks has ended; another chunk then belongs to another report}
   */
  boolean isEnded() {
    return isEnded;
  }

  /**
   * Reads a line.
   *
   * @param text the line from its mark on, and the lines after it
   * @param requested the request, for which no hole was large enough
   */
  void read(String text, String line, Optional<PrintedBytes> requested) {
    Matcher chunk = CHUNK.matcher(text);
    Matcher sizes = SIZE.matcher(line);
    Matcher totals = TOTALS.matcher(line);
    Matcher statistics = STATISTICS.matcher(text);
    Matcher map = MAP.matcher(line);
    if (isChunk(text)) {
      if (chunk.lookingAt()) {
        addChunk(chunk.group(1).equals("Free"), Long.parseLong(chunk.group(2)));
      }
    } else if (text.startsWith("Chunks of size")) {
      if (sizes.find()) {
        addSize(Long.parseLong(sizes.group(1)), Long.parseLong(sizes.group(2)));
      }
    } else if (text.startsWith("*") || text.startsWith("_")) {
      if (map.find()) {
        requested.ifPresent(bytes -> readMap(map.group(), bytes));
      }
    } else {
      isEnded = true;
      if (text.startsWith("memory_limit_") && totals.find()) {
        total = exact(totals.group(1));
        limit = exact(totals.group(2));
      } else if (text.startsWith("Limit") && statistics.find()) {
        limit = limit.or(() -> exact(statistics.group(1)));
        statedInUse = exact(statistics.group(2));
      }
    }
  }

  private static Optional<PrintedBytes> exact(String digits) {
    return Optional.of(PrintedBytes.exact(Long.parseLong(digits)));
  }

  private void addChunk(boolean isFree, long bytes) {
    if (bytes <= MOST - inUse - free) {
      isEmpty = false;
      inUse += isFree ? 0 : bytes;
      free += isFree ? bytes : 0;
      largest = isFree ? Math.max(largest, bytes) : largest;
      largestInUse = isFree ? largestInUse : Math.max(largestInUse, bytes);
    }
  }

  /** Adds the sum of the chunks in use with one number of bytes. */
  private void addSize(long count, long bytes) {
    if (count > 0 && bytes < MOST / count) {
      sizesBytes += count * bytes;
      largestInUse = Math.max(largestInUse, bytes);
      if (count * bytes > sizeBytes) {
        sizeBytes = count * bytes;
        size = bytes;
      }
    }
  }

  private void readMap(String map, PrintedBytes requested) {
    int longest = 0;
    for (String run : map.split("[^_]", -1)) {
      longest = Math.max(longest, run.length());
    }
    if (longest > 0 && !requested.isOverflow()) {
      poolMost = Optional.of(PrintedBytes.exact(requested.highBytes() / longest * map.length()));
    }
  }

  /** {@return true if the list has all chunks in use, as the sums show} */
  private boolean isWhole() {
    return total.isPresent()
        ? total.get().bytes() == inUse + free
        : !isEmpty && statedInUse.filter(stated -> stated.bytes() == inUse).isPresent();
  }

  /** {@return true if the device refused a region that the limit permits} */
  boolean isRefused(Optional<PrintedBytes> requested) {
    return requested.isPresent()
        && limit.isPresent()
        && total.isPresent()
        && limit.get().bytes() - total.get().bytes() >= requested.get().highBytes();
  }

  /** {@return the numbers of the report as far as they are known} */
  FailureNumbers numbers() {
    boolean isWhole = isWhole();
    FailureNumbers numbers = FailureNumbers.NONE;
    if (!isEmpty) {
      numbers =
          numbers
              .with(FailurePart.ALLOCATED, part(inUse, isWhole))
              .with(FailurePart.CACHED, part(free, isWhole))
              .with(FailurePart.LARGEST_HOLE, known(largest, largest > 0 || isWhole));
    }
    if (!isWhole && total.isPresent() && statedInUse.isPresent()) {
      // The sums count; a part of the list is left out.
      numbers =
          numbers
              .with(FailurePart.ALLOCATED, statedInUse)
              .with(FailurePart.CACHED, total.get().minus(statedInUse.get()));
    }
    boolean isMost =
        sizeBytes > largestInUse
            && statedInUse.filter(stated -> stated.bytes() == sizesBytes).isPresent();
    return numbers
        .with(FailurePart.LARGEST_CHUNK, known(largestInUse, largestInUse > 0))
        .with(FailurePart.CHUNK_SIZE, known(size, isMost))
        .with(FailurePart.CHUNKS_OF_SIZE, known(sizeBytes, isMost))
        .with(FailurePart.RESERVED, total)
        .with(FailurePart.LIMIT, limit)
        .with(FailurePart.POOL_MOST, poolMost.filter(_ -> isEmpty && total.isEmpty()));
  }

  private static Optional<PrintedBytes> known(long bytes, boolean isKnown) {
    return isKnown ? Optional.of(PrintedBytes.exact(bytes)) : Optional.empty();
  }

  /** {@return a sum of the list; the least number if a part of the list is missing} */
  private static PrintedBytes part(long bytes, boolean isWhole) {
    return isWhole ? PrintedBytes.exact(bytes) : PrintedBytes.between(bytes, MOST);
  }
}
