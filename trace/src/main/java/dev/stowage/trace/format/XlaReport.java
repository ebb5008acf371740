package dev.stowage.trace.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The report that a BFC allocator of XLA or TensorFlow logs if a request fails: its regions, their
 * chunks, and the limit.
 *
 * <p>After {@code DumpMemoryLog} in xla/tsl/framework/bfc_allocator.cc, in its forms since 2018.
 */
final class XlaReport {

  private static final long UNIT = 256;

  private static final Pattern START =
      Pattern.compile(
          "Allocator \\((\\S+)\\) ran out of memory trying to allocate"
              + " ([\\d.]+)([KMGTPE]?i?B)(?: \\(rounded to (\\d+)\\))?"
              + "(?: from the (\\w+) end)?.*");

  /** The same words with this count are not followed by a report. */
  private static final String SHORT = "with freed_by_count=";

  private static final Pattern REGION = Pattern.compile("Next region of size (\\d+)");
  private static final Pattern CHUNK =
      Pattern.compile("(InUse|Chunk|Free) +at (?:0x)?(\\p{XDigit}{1,16}) of size (\\d+)( .*)?");
  private static final Pattern END_OF_POOL = Pattern.compile(".* tag \\S*?(lower|upper)\\b.*");
  private static final Pattern ANNOTATION =
      Pattern.compile(".* allocation_annotation (.*?) next \\d+.*");
  private static final Pattern OPERATOR = Pattern.compile(".* by op (.*?) action_count .*");
  private static final Pattern TOTALS =
      Pattern.compile("\\D*(\\d+) memory_limit_: (\\d+) .*curr_region_allocation_bytes_: (\\d+)");
  private static final Pattern NEXT_REGION =
      Pattern.compile(
          "Allocator region growth hint: next region allocation target ([\\d.]+)([KMGTPE]?i?B) .*");

  private static final String UNITS = "KMGTPE";

  private final String allocator;
  private final String place;
  private final OptionalLong requestedBytes;
  private final String requestedEnd;
  private final List<RecordedMemory.Region> regions = new ArrayList<>();
  private final List<RecordedMemory.Chunk> chunks = new ArrayList<>();
  private long regionBytes = -1;
  private long listedBytes;
  private long regionAddress = -1;
  private long otherEndBytes;
  private boolean isEnded;
  private boolean isOptional;
  private Optional<String> damage = Optional.empty();
  private OptionalLong limitBytes = OptionalLong.empty();
  private OptionalLong nextRegionBytes = OptionalLong.empty();

  private XlaReport(Matcher line, String place) {
    allocator = line.group(1);
    this.place = place;
    requestedBytes =
        line.group(4) == null
            ? bytes(line.group(2), line.group(3))
            : NumberFields.whole(line.group(4));
    requestedEnd = line.group(5) == null ? "" : line.group(5);
  }

  /** {@return the report that a message starts; empty if it starts none} */
  static Optional<XlaReport> startedBy(String message, String place) {
    if (!message.startsWith("Allocator (") || message.contains(SHORT)) {
      return Optional.empty();
    }
    Matcher start = START.matcher(message);
    return start.matches() ? Optional.of(new XlaReport(start, place)) : Optional.empty();
  }

  /**
   * {@return the bytes of a text such as {@code 3.39} and {@code GiB}, rounded up to a multiple of
   * 256}
   */
  private static OptionalLong bytes(String number, String unit) {
    int power = UNITS.indexOf(unit.charAt(0)) + 1;
    try {
      double bytes = Double.parseDouble(number) * Math.pow(1024, power);
      return bytes < (1L << 60)
          ? OptionalLong.of(((long) Math.ceil(bytes) + UNIT - 1) & -UNIT)
          : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** Reads a message of the thread that writes the report; most are not part of it. */
  void read(String message) {
    if (message.startsWith("Next region of size ")) {
      endRegion();
      Matcher region = REGION.matcher(message);
      regionBytes = region.matches() ? NumberFields.whole(region.group(1)).orElse(-1) : -1;
      if (regionBytes < 0) {
        noteDamage("a line with a region is not complete");
      }
    } else if (message.startsWith("InUse")
        || message.startsWith("Chunk at")
        || message.startsWith("Free")) {
      readChunk(message);
    } else if (message.contains("Summary of in-use Chunks")) {
      endRegion();
      isEnded = true;
    } else if (message.contains("memory_limit_: ")) {
      Matcher totals = TOTALS.matcher(message);
      if (totals.matches()) {
        endRegion();
        isEnded = true;
        checkPool(NumberFields.whole(totals.group(1)));
        limitBytes = NumberFields.whole(totals.group(2));
        nextRegionBytes = NumberFields.whole(totals.group(3));
      }
    } else if (message.startsWith("Allocator region growth hint")) {
      Matcher next = NEXT_REGION.matcher(message);
      nextRegionBytes = next.matches() ? bytes(next.group(1), next.group(2)) : nextRegionBytes;
    }
  }

  private void checkPool(OptionalLong bytes) {
    if (bytes.orElse(heldBytes()) != heldBytes()) {
      noteDamage(
          String.format(
              Locale.ROOT,
              "the regions have %d of the %d bytes of the pool",
              heldBytes(),
              bytes.getAsLong()));
    }
  }

  private void readChunk(String message) {
    Matcher line = CHUNK.matcher(message);
    OptionalLong bytes = line.matches() ? NumberFields.whole(line.group(3)) : OptionalLong.empty();
    if (bytes.isEmpty()) {
      noteDamage("a line with a chunk is not complete");
      return;
    }
    long address = Long.parseUnsignedLong(line.group(2), 16);
    regionAddress = regionAddress < 0 ? address : regionAddress;
    if (regionBytes < 0
        || address != regionAddress + listedBytes
        || (address | bytes.getAsLong()) % UNIT != 0
        || bytes.getAsLong() <= 0
        || bytes.getAsLong() > regionBytes - listedBytes) {
      noteDamage(
          String.format(
              Locale.ROOT, "the chunk at 0x%x does not follow the one before it", address));
      return;
    }
    listedBytes += bytes.getAsLong();
    String rest = line.group(4) == null ? "" : line.group(4);
    if (!line.group(1).equals("Free")) {
      chunks.add(new RecordedMemory.Chunk(address, bytes.getAsLong(), tag(rest)));
    } else if (isOfOtherEnd(rest)) {
      otherEndBytes += bytes.getAsLong();
      chunks.add(new RecordedMemory.Chunk(address, bytes.getAsLong(), "holes of the other end"));
    }
  }

  private boolean isOfOtherEnd(String rest) {
    Matcher end = END_OF_POOL.matcher(rest.toLowerCase(Locale.ROOT));
    return !requestedEnd.isEmpty() && end.matches() && !end.group(1).equals(requestedEnd);
  }

  private static String tag(String rest) {
    for (Pattern pattern : List.of(ANNOTATION, OPERATOR)) {
      Matcher text = pattern.matcher(rest);
      if (text.matches()) {
        return text.group(1);
      }
    }
    return "";
  }

  private void endRegion() {
    if (regionBytes >= 0) {
      if (listedBytes != regionBytes) {
        noteDamage(
            String.format(
                Locale.ROOT,
                "the chunks of a region have %d of its %d bytes",
                listedBytes,
                regionBytes));
      } else {
        regions.add(new RecordedMemory.Region(regionAddress, regionBytes, chunks));
      }
    }
    chunks.clear();
    regionBytes = -1;
    listedBytes = 0;
    regionAddress = -1;
  }

  private void noteDamage(String problem) {
    damage = damage.or(() -> Optional.of(problem));
  }

  /** Takes note that the program goes on without the request. */
  void setOptional() {
    isOptional = true;
  }

  /** Sets the limit of the allocator, which the statistics of the report have. */
  void setLimit(long bytes) {
    limitBytes = OptionalLong.of(bytes);
  }

  String allocator() {
    return allocator;
  }

  String place() {
    return place;
  }

  /** {@return the rounded bytes of the request that failed; empty if they cannot be read} */
  OptionalLong requestedBytes() {
    return requestedBytes;
  }

  /** {@return true if the program needs the request} */
  boolean isNeeded() {
    return !isOptional;
  }

  /** {@return the bytes of free chunks that the request could not use, because of their end} */
  long otherEndBytes() {
    return otherEndBytes;
  }

  /** {@return the reason why the report cannot be used; empty if it is complete} */
  Optional<String> damage() {
    return damage.or(
        () -> isEnded ? Optional.empty() : Optional.of("the summary of chunks in use is missing"));
  }

  /** {@return true if the limit would have permitted a region, so that the device refused it} */
  boolean isRefusedByDevice() {
    long held = heldBytes();
    return limitBytes.orElse(held) - held >= requestedBytes.orElse(Long.MAX_VALUE);
  }

  /**
   * {@return the most bytes that the allocator could hold at that moment; empty if the report does
   * not have them, or has fewer than the allocator held}
   */
  OptionalLong usableLimitBytes() {
    long held = Math.max(UNIT, heldBytes());
    if (isRefusedByDevice()) {
      return OptionalLong.of(held);
    }
    return limitBytes.orElse(0) >= held ? limitBytes : OptionalLong.empty();
  }

  /** {@return the bytes of all regions} */
  long heldBytes() {
    return regions.stream().mapToLong(RecordedMemory.Region::bytes).sum();
  }

  /** {@return the memory at that moment} */
  RecordedMemory memory() {
    List<RecordedMemory.Region> sorted =
        regions.stream()
            .sorted((one, other) -> Long.compareUnsigned(one.address(), other.address()))
            .toList();
    return new RecordedMemory(sorted, usableLimitBytes(), nextRegionBytes);
  }
}
