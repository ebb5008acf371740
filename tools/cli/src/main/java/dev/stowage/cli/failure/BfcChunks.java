package dev.stowage.cli.failure;

import java.util.Optional;
import java.util.OptionalLong;
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
          "(InUse|Chunk|Free) at (?:0x)?(\\p{XDigit}{1,16})(?: next \\d{1,20})? of size (\\d{1,18})\\b");

  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,9}) Chunks of size (\\d{1,18}) totalling");

  private static final Pattern TOTALS =
      Pattern.compile("total_region_allocated_bytes_: (\\d{1,18}) memory_limit_: (\\d{1,18})\\b");

  private static final Pattern STATISTICS =
      Pattern.compile("Limit: (\\d{1,18}) InUse: (\\d{1,18})\\b");

  private long inUse;
  private long free;
  private long largest;
  private long largestInUse;
  private long size;
  private long sizeBytes;
  private long sizesBytes;
  private boolean isEmpty = true;
  private boolean isEnded;
  private OptionalLong total = OptionalLong.empty();
  private OptionalLong limit = OptionalLong.empty();
  private OptionalLong statedInUse = OptionalLong.empty();
  private Optional<PrintedBytes> map = Optional.empty();

  /** {@return true if the list of chunks has ended, so that another chunk is of another report} */
  boolean isEnded() {
    return isEnded;
  }

  void readChunk(String text) {
    Matcher chunk = CHUNK.matcher(text);
    if (!chunk.lookingAt()) {
      return;
    }
    long bytes = Long.parseLong(chunk.group(3));
    boolean isFree = chunk.group(1).equals("Free");
    if (bytes <= Long.MAX_VALUE / 4 - inUse - free) {
      isEmpty = false;
      inUse += isFree ? 0 : bytes;
      free += isFree ? bytes : 0;
      largest = isFree ? Math.max(largest, bytes) : largest;
      largestInUse = isFree ? largestInUse : Math.max(largestInUse, bytes);
    }
  }

  void end() {
    isEnded = true;
  }

  /** Reads the sum of the chunks in use with one number of bytes. */
  void readClass(String text) {
    Matcher chunks = SIZE.matcher(text);
    if (!chunks.find()) {
      return;
    }
    long count = Long.parseLong(chunks.group(1));
    long bytes = Long.parseLong(chunks.group(2));
    if (count > 0 && bytes < Long.MAX_VALUE / 4 / count) {
      sizesBytes += count * bytes;
      largestInUse = Math.max(largestInUse, bytes);
      if (count * bytes > sizeBytes) {
        sizeBytes = count * bytes;
        size = bytes;
      }
    }
  }

  void readTotals(String text) {
    Matcher totals = TOTALS.matcher(text);
    if (totals.find()) {
      total = OptionalLong.of(Long.parseLong(totals.group(1)));
      limit = OptionalLong.of(Long.parseLong(totals.group(2)));
    }
  }

  void readStatistics(String text) {
    Matcher statistics = STATISTICS.matcher(text);
    if (statistics.find()) {
      limit = limit.isPresent() ? limit : OptionalLong.of(Long.parseLong(statistics.group(1)));
      statedInUse = OptionalLong.of(Long.parseLong(statistics.group(2)));
    }
  }

  /**
   * Reads a map of 100 characters, of which each {@code _} is a hundredth of the pool that is free.
   *
   * @param requested the request, for which no hole was large enough
   */
  void readMap(String map, PrintedBytes requested) {
    int run = 0;
    int longest = 0;
    for (int i = 0; i < map.length(); i++) {
      run = map.charAt(i) == '_' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    if (longest > 0 && !requested.isOverflow()) {
      this.map = Optional.of(PrintedBytes.exact(requested.highBytes() / longest * map.length()));
    }
  }

  /** {@return true if the list has all chunks in use, as the sums show} */
  private boolean isWhole() {
    return total.isPresent()
        ? total.getAsLong() == inUse + free
        : statedInUse.isPresent() && statedInUse.getAsLong() == inUse && !isEmpty;
  }

  /** {@return true if the device refused a region that the limit permits} */
  boolean isRefused(Optional<PrintedBytes> requested) {
    return requested.isPresent()
        && limit.isPresent()
        && total.isPresent()
        && limit.getAsLong() - total.getAsLong() >= requested.get().highBytes();
  }

  /** {@return the numbers of the report as far as they are known} */
  FailureNumbers numbers() {
    FailureNumbers numbers =
        isEmpty
            ? FailureNumbers.NONE
            : FailureNumbers.NONE
                .with(FailurePart.ALLOCATED, part(inUse))
                .with(FailurePart.CACHED, part(free))
                .with(
                    FailurePart.LARGEST_HOLE,
                    Optional.of(PrintedBytes.exact(largest)).filter(_ -> largest > 0 || isWhole()));
    if (!isWhole() && total.isPresent() && statedInUse.isPresent()) {
      // The sums count; a part of the list is left out.
      numbers =
          numbers
              .with(FailurePart.ALLOCATED, PrintedBytes.exact(statedInUse.getAsLong()))
              .with(
                  FailurePart.CACHED,
                  PrintedBytes.exact(Math.max(0, total.getAsLong() - statedInUse.getAsLong())));
    }
    return numbers
        .with(
            FailurePart.LARGEST_CHUNK,
            Optional.of(PrintedBytes.exact(largestInUse)).filter(_ -> largestInUse > 0))
        .with(FailurePart.CHUNK_SIZE, ofSize(size))
        .with(FailurePart.CHUNKS_OF_SIZE, ofSize(sizeBytes))
        .with(FailurePart.RESERVED, exact(total))
        .with(FailurePart.LIMIT, exact(limit))
        .with(FailurePart.POOL_MOST, isEmpty && total.isEmpty() ? map : Optional.empty());
  }

  /** {@return a number of the chunks of one size, if they hold most, and no size is missing} */
  private Optional<PrintedBytes> ofSize(long bytes) {
    boolean isMost = sizeBytes > largestInUse && sizesBytes == statedInUse.orElse(-1);
    return isMost ? Optional.of(PrintedBytes.exact(bytes)) : Optional.empty();
  }

  /** {@return a sum of the list, which is at least that if a part of the list is missing} */
  private PrintedBytes part(long bytes) {
    return isWhole() ? PrintedBytes.exact(bytes) : PrintedBytes.between(bytes, Long.MAX_VALUE / 4);
  }

  private static Optional<PrintedBytes> exact(OptionalLong bytes) {
    return bytes.isPresent()
        ? Optional.of(PrintedBytes.exact(bytes.getAsLong()))
        : Optional.empty();
  }
}
