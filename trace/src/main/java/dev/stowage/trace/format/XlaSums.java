package dev.stowage.trace.format;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sums of the chunks in a report, which its own statistics must have, too. */
final class XlaSums {

  /*
   * Each statistic is compared with the chunks that are listed, after the last of them:
   *
   *   Bin (256): Total Chunks: 3, Chunks in use: 2. 1.0KiB allocated for chunks. 512B in use in bin. ...
   *   2 Chunks of size 256 totalling 512B
   *   Sum Total of in-use chunks: 512B
   *   Total bytes in pool: 1536 ...
   *   InUse:                           512
   *   MaxInUse:                        512
   *
   * Bins are before the list. The bin of a chunk is the largest power of two times 256, up to 256 MiB, that
   * is not larger than the chunk. Sizes with a unit are rounded to their last digit.
   */

  private static final long LEAST_BIN = 256;
  private static final int LAST_BIN = 20;

  private static final String SIZE = "([\\d.]+)([KMGTPE]?i?B)";
  private static final Pattern BIN =
      Pattern.compile(
          "Bin \\((\\d+)\\):\\s+Total Chunks: (\\d+), Chunks in use: (\\d+)\\. "
              + SIZE
              + " allocated for chunks\\. "
              + SIZE
              + " in use in bin\\..*");
  private static final Pattern OF_SIZE =
      Pattern.compile("(\\d+) Chunks of size (\\d+) totalling " + SIZE + "\\s*");
  private static final Pattern IN_ALL =
      Pattern.compile("Sum Total of in-use chunks: " + SIZE + "\\s*");

  /** The chunks of some kind. */
  private record Sum(long count, long bytes) {

    static final Sum NONE = new Sum(0, 0);

    Sum with(long more) {
      return new Sum(count + 1, bytes + more);
    }
  }

  private final Map<Long, Sum> bins = new TreeMap<>();
  private final Map<Long, Sum> usedBins = new TreeMap<>();
  private final Map<Long, Sum> usedSizes = new TreeMap<>();
  private Sum used = Sum.NONE;
  private Optional<String> contradiction = Optional.empty();

  /** The lines on bins, which precede the chunks. */
  private final Map<Long, Matcher> binLines = new TreeMap<>();

  /** Adds a chunk of the list. */
  void add(boolean isFree, long bytes) {
    long bin =
        LEAST_BIN << Math.clamp(63 - Long.numberOfLeadingZeros(bytes / LEAST_BIN), 0, LAST_BIN);
    bins.merge(bin, new Sum(1, bytes), (sum, one) -> sum.with(one.bytes()));
    if (!isFree) {
      usedBins.merge(bin, new Sum(1, bytes), (sum, one) -> sum.with(one.bytes()));
      usedSizes.merge(bytes, new Sum(1, bytes), (sum, one) -> sum.with(one.bytes()));
      used = used.with(bytes);
    }
  }

  /** Reads a line with a statistic; other lines are ignored. */
  void read(String message) {
    Matcher bin = BIN.matcher(message);
    Matcher ofSize = OF_SIZE.matcher(message);
    Matcher inAll = IN_ALL.matcher(message);
    if (bin.matches()) {
      NumberFields.whole(bin.group(1)).ifPresent(bytes -> binLines.put(bytes, bin));
    } else if (ofSize.matches()) {
      OptionalLong size = NumberFields.whole(ofSize.group(2));
      Sum sum = usedSizes.getOrDefault(size.orElse(0), Sum.NONE);
      String name = "chunks in use of " + ofSize.group(2) + " bytes";
      checkCount(name, sum, ofSize.group(1));
      checkBytes(name, sum, ofSize.group(3), ofSize.group(4));
    } else if (inAll.matches()) {
      checkBytes("chunks in use", used, inAll.group(1), inAll.group(2));
    }
  }

  /** Checks the lines on bins, once all chunks are listed. */
  void checkBins() {
    binLines.forEach((bytes, line) -> {
      String name = "in the bin of " + bytes + " bytes";
      Sum all = bins.getOrDefault(bytes, Sum.NONE);
      Sum inUse = usedBins.getOrDefault(bytes, Sum.NONE);
      checkCount("chunks " + name, all, line.group(2));
      checkCount("chunks in use " + name, inUse, line.group(3));
      checkBytes("chunks " + name, all, line.group(4), line.group(5));
      checkBytes("chunks in use " + name, inUse, line.group(6), line.group(7));
    });
    binLines.clear();
  }

  /** Checks the bytes in use of the statistics below the list. */
  void checkInUse(long bytes) {
    if (bytes != used.bytes()) {
      note("the chunks in use have %d bytes, and the statistics %d", used.bytes(), bytes);
    }
  }

  /** Checks the most bytes that were in use. */
  void checkMostInUse(long bytes) {
    if (bytes < used.bytes()) {
      note("the chunks in use have %d bytes, and the statistics at most %d", used.bytes(), bytes);
    }
  }

  private void checkCount(String name, Sum listed, String printed) {
    if (NumberFields.whole(printed).orElse(listed.count()) != listed.count()) {
      note("%d %s are listed, and the report counts %s", listed.count(), name, printed);
    }
  }

  private void checkBytes(String name, Sum listed, String number, String unit) {
    double scale = NumberFields.unitBytes(unit);
    OptionalDouble printed = NumberFields.fraction(number);
    if (printed.isPresent()
        && Math.abs(printed.getAsDouble() * scale - listed.bytes()) > scale * step(number)) {
      note(
          "the listed %s have %d bytes, and the report counts %s%s",
          name, listed.bytes(), number, unit);
    }
  }

  /** {@return the value of the last digit of a number} */
  private static double step(String number) {
    int point = number.indexOf('.');
    return point < 0 ? 1 : Math.pow(10, point + 1 - number.length());
  }

  @SuppressWarnings("AnnotateFormatMethod") // would need a further library
  private void note(String format, Object... values) {
    contradiction = contradiction.or(() -> Optional.of(String.format(Locale.ROOT, format, values)));
  }

  /** {@return the first statistic that contradicts the chunks; empty if none does} */
  Optional<String> contradiction() {
    return contradiction;
  }
}
