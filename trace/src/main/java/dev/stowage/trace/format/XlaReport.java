package dev.stowage.trace.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
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

  /**
   * The number of the next chunk follows the address in TensorFlow 1.14, and the size since then.
   */
  private static final Pattern CHUNK =
      Pattern.compile(
          "(InUse|Chunk|Free) +at (?:0x)?(\\p{XDigit}{1,16})(?: next \\d+)? of size (\\d+)( .*)?");

  /** A line with a chunk that TensorFlow wrote as two: {@code of size} starts the second one. */
  private static final Pattern HALF_CHUNK =
      Pattern.compile("(?:InUse|Chunk|Free) +at (?:0x)?\\p{XDigit}{1,16}\\s*");

  /** The text of the last chunk of a region. */
  private static final String LAST_OF_REGION = " next 18446744073709551615";

  private static final Pattern END_OF_POOL = Pattern.compile(".* tag \\S*?(lower|upper)\\b.*");
  private static final Pattern ANNOTATION =
      Pattern.compile(".* allocation_annotation (.*?) next \\d+.*");
  private static final Pattern OPERATOR = Pattern.compile(".* by op (.*?) action_count .*");
  private static final Pattern TOTALS =
      Pattern.compile("\\D*(\\d+) memory_limit_: (\\d+) .*curr_region_allocation_bytes_: (\\d+)");
  private static final Pattern NEXT_REGION =
      Pattern.compile(
          "Allocator region growth hint: next region allocation target ([\\d.]+)([KMGTPE]?i?B) .*");

  /** More bytes than any device has. */
  private static final long MOST_BYTES = 1L << 60;

  private final String allocator;
  private final String place;
  private final Request request;
  private final List<RecordedMemory.Region> regions = new ArrayList<>();
  private final List<RecordedMemory.Chunk> chunks = new ArrayList<>();

  /** The bytes of the open region; -1 if none is open or if the report does not have them. */
  private long regionBytes = -1;

  private long listedBytes;
  private long regionAddress = -1;
  private long otherEndBytes;

  /** True if a chunk has no line with its region, as in TensorFlow until 1.13. */
  private boolean lacksRegions;

  private boolean hasDump;

  /** True if the report has the limit, which is below the list of chunks. */
  private boolean hasStatistics;

  private boolean isEnded;
  private boolean isOptional;
  private String lastPlace;
  private Listed listed = new Listed(0, 0, 0, 0, 0);
  private final XlaSums sums = new XlaSums();
  private Optional<String> damage = Optional.empty();
  private OptionalLong limitBytes = OptionalLong.empty();
  private OptionalLong nextRegionBytes = OptionalLong.empty();

  /**
   * A request that failed.
   *
   * @param bytes its bytes, rounded as the allocator rounds them; {@link Long#MAX_VALUE} if they
   *     wrapped around
   * @param text its bytes as in the report, such as {@code 3.39GiB}
   * @param isExact false if the bytes come from the rounded text
   * @param end the end of the region that it needs; "" if the region has one end
   */
  record Request(OptionalLong bytes, String text, boolean isExact, String end) {

    private static Request of(Matcher line) {
      String text = line.group(2) + line.group(3);
      OptionalLong rough = XlaReport.bytes(line.group(2), line.group(3));
      OptionalLong rounded =
          line.group(4) == null ? OptionalLong.empty() : NumberFields.whole(line.group(4));
      boolean isWrapped =
          rough.orElse(0) == Long.MAX_VALUE || rounded.orElse(Long.MAX_VALUE) < rough.orElse(0) / 2;
      return new Request(
          isWrapped ? OptionalLong.of(Long.MAX_VALUE) : rounded.isPresent() ? rounded : rough,
          text,
          rounded.isPresent(),
          line.group(5) == null ? "" : line.group(5));
    }

    /** {@return true if the bytes are so many that they wrapped around when they were rounded} */
    boolean isWrapped() {
      return bytes.orElse(0) == Long.MAX_VALUE;
    }
  }

  /** The chunks that were read: their numbers and bytes. */
  private record Listed(
      long usedCount, long usedBytes, long freeCount, long freeBytes, long largestBytes) {

    Listed with(boolean isFree, long bytes) {
      return isFree
          ? new Listed(
              usedCount, usedBytes, freeCount + 1, freeBytes + bytes, Math.max(largestBytes, bytes))
          : new Listed(usedCount + 1, usedBytes + bytes, freeCount, freeBytes, largestBytes);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d %s with %,d bytes and %,d free %s with %,d bytes, the largest of them with %,d,",
          usedCount,
          usedCount == 1 ? "chunk in use" : "chunks in use",
          usedBytes,
          freeCount,
          freeCount == 1 ? "chunk" : "chunks",
          freeBytes,
          largestBytes);
    }
  }

  private XlaReport(String allocator, Request request, String place) {
    this.allocator = allocator;
    this.request = request;
    this.place = place;
    lastPlace = place;
  }

  /** {@return the report that a message starts; empty if it starts none} */
  static Optional<XlaReport> startedBy(String message, String place) {
    if (!message.startsWith("Allocator (") || message.contains(SHORT)) {
      return Optional.empty();
    }
    Matcher start = START.matcher(message);
    return start.matches()
        ? Optional.of(new XlaReport(start.group(1), Request.of(start), place))
        : Optional.empty();
  }

  /**
   * {@return a report without its first line, which starts with a message on a chunk or region;
   * empty for other messages}
   *
   * @param allocator the allocator, which the message does not name
   */
  static Optional<XlaReport> continuedBy(String message, String allocator, String place) {
    return REGION.matcher(message).matches() || CHUNK.matcher(message).matches()
        ? Optional.of(
            new XlaReport(allocator, new Request(OptionalLong.empty(), "", true, ""), place))
        : Optional.empty();
  }

  /** {@return true if the next line has the rest of the message} */
  static boolean isHalf(String message) {
    return HALF_CHUNK.matcher(message).matches();
  }

  /**
   * {@return the bytes of a text such as {@code 3.39} and {@code GiB}, rounded up to a multiple of
   * 256; {@link Long#MAX_VALUE} from 2^60 on; empty if the text is not a number}
   */
  private static OptionalLong bytes(String number, String unit) {
    OptionalDouble count = NumberFields.fraction(number);
    if (count.isEmpty()) {
      return OptionalLong.empty();
    }
    double bytes = count.getAsDouble() * NumberFields.unitBytes(unit);
    return OptionalLong.of(
        bytes < MOST_BYTES ? ((long) Math.ceil(bytes) + UNIT - 1) & -UNIT : Long.MAX_VALUE);
  }

  /** Reads a message of the thread that writes the report; most are not part of it. */
  void read(String message, String at) {
    hasDump |= message.startsWith("BFCAllocator dump") || message.startsWith("Bin ");
    lastPlace = hasStatistics ? lastPlace : at;
    if (message.startsWith("Next region of size ")) {
      hasDump = true;
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
      endList();
    } else if (message.contains("memory_limit_: ")) {
      Matcher totals = TOTALS.matcher(message);
      if (totals.matches()) {
        endList();
        checkPool(NumberFields.whole(totals.group(1)));
        hasStatistics = true;
        limitBytes = NumberFields.whole(totals.group(2));
        nextRegionBytes = NumberFields.whole(totals.group(3));
      }
    } else if (message.startsWith("Allocator region growth hint")) {
      Matcher next = NEXT_REGION.matcher(message);
      OptionalLong bytes =
          next.matches() ? bytes(next.group(1), next.group(2)) : OptionalLong.empty();
      nextRegionBytes = bytes.orElse(Long.MAX_VALUE) < MOST_BYTES ? bytes : nextRegionBytes;
    } else {
      sums.read(message);
    }
  }

  private void endList() {
    endRegion();
    isEnded = true;
    sums.checkBins();
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
    hasDump = true;
    long address = Long.parseUnsignedLong(line.group(2), 16);
    if (regionBytes < 0 && damage.isEmpty()) {
      lacksRegions = true;
      if (regionAddress >= 0 && address != regionAddress + listedBytes) {
        endRegion();
      }
    }
    regionAddress = regionAddress < 0 ? address : regionAddress;
    long most = regionBytes < 0 && lacksRegions ? Long.MAX_VALUE : regionBytes;
    if (most < 0
        || address != regionAddress + listedBytes
        || (address | bytes.getAsLong()) % UNIT != 0
        || bytes.getAsLong() <= 0
        || bytes.getAsLong() > most - listedBytes) {
      noteDamage(
          String.format(
              Locale.ROOT, "the chunk at 0x%x does not follow the one before it", address));
      return;
    }
    addChunk(line, address, bytes.getAsLong());
  }

  private void addChunk(Matcher line, long address, long bytes) {
    boolean isFree = line.group(1).equals("Free");
    listed = listed.with(isFree, bytes);
    sums.add(isFree, bytes);
    listedBytes += bytes;
    String rest = line.group(4) == null ? "" : line.group(4);
    if (!isFree) {
      chunks.add(new RecordedMemory.Chunk(address, bytes, tag(rest)));
    } else if (isOfOtherEnd(rest)) {
      otherEndBytes += bytes;
      chunks.add(new RecordedMemory.Chunk(address, bytes, "holes of the other end"));
    }
    if (regionBytes < 0 && rest.endsWith(LAST_OF_REGION)) {
      endRegion();
    }
  }

  private boolean isOfOtherEnd(String rest) {
    Matcher end = END_OF_POOL.matcher(rest.toLowerCase(Locale.ROOT));
    return !request.end().isEmpty() && end.matches() && !end.group(1).equals(request.end());
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
    // Without the start of a report, the lines of its last region may be missing, too.
    boolean isListed = regionBytes < 0 || isPart();
    if (!isListed && listedBytes != regionBytes) {
      noteDamage(
          String.format(
              Locale.ROOT,
              "the chunks of a region have %d of its %d bytes",
              listedBytes,
              regionBytes));
    } else if (listedBytes > 0) {
      regions.add(new RecordedMemory.Region(regionAddress, listedBytes, chunks));
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

  /** Takes note of a statistic below the list of chunks: the limit, or bytes in use. */
  void setStatistic(String name, long bytes) {
    switch (name) {
      case "Limit" -> {
        hasStatistics = true;
        limitBytes = OptionalLong.of(bytes);
      }
      case "InUse" -> sums.checkInUse(bytes);
      default -> sums.checkMostInUse(bytes);
    }
  }

  /** Ends the lines of the report, and sets its limit unless it has one. */
  void end(OptionalLong earlierLimitBytes) {
    if (isPart() || isEnded) {
      endRegion();
    }
    limitBytes = limitBytes.isPresent() ? limitBytes : earlierLimitBytes;
  }

  String allocator() {
    return allocator;
  }

  String place() {
    return place;
  }

  /** {@return the request that failed; without bytes if the log lacks the start of the report} */
  Request request() {
    return request;
  }

  /** {@return true if the log lacks the start of the report, so that the request is not known} */
  boolean isPart() {
    return request.text().isEmpty();
  }

  /** {@return true if the program needs the request} */
  boolean isNeeded() {
    return !isOptional;
  }

  /** {@return the bytes of free chunks that the request could not use, because of their end} */
  long otherEndBytes() {
    return otherEndBytes;
  }

  /**
   * {@return the reason why the chunks of the report cannot be used; empty if they are complete}
   */
  Optional<String> damage() {
    return damage
        .or(() -> isEnded || isPart() ? Optional.empty() : Optional.of(cut()))
        .or(() -> isPart() ? Optional.empty() : sums.contradiction());
  }

  /** {@return a text on the part of the list of chunks that the log has} */
  private String cut() {
    String failed =
        String.format(
            Locale.ROOT,
            "; a request for %s failed%s",
            request.isExact() && !request.isWrapped()
                ? String.format(Locale.ROOT, "%,d bytes", request.bytes().orElse(0))
                : request.text(),
            limitBytes.isPresent()
                ? String.format(Locale.ROOT, ", with a limit of %,d bytes", limitBytes.getAsLong())
                : "");
    if (!hasDump) {
      return "it has no list of chunks, which programs print only with TF_CPP_MIN_LOG_LEVEL=0 (JAX"
          + " sets 1)"
          + failed;
    }
    return String.format(
        Locale.ROOT,
        "it is cut behind %s, in the list of chunks%s, and %s are listed until there",
        lastPlace,
        failed,
        listed);
  }

  /**
   * {@return sentences on the missing parts of a report with complete chunks; empty if nothing is
   * missing}
   */
  List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    if (isPart()) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "The log lacks the start of the report: the request that failed is not known, and there"
                  + " may be chunks before %s.",
              place));
    } else if (!request.isExact() && !request.isWrapped()) {
      doubts.add("The report has the size of the request only as " + request.text() + ".");
    }
    if (lacksRegions) {
      doubts.add("The report does not have the regions: neighbouring chunks count as one region.");
    }
    if (!hasStatistics) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "The report is cut behind %s%s, and the limit is %s.",
              lastPlace,
              isPart() ? "" : ": its chunks are complete",
              limitBytes.isPresent()
                  ? "from an earlier line"
                  : "not known, so that the held bytes count as the limit"));
    }
    return doubts;
  }

  /** {@return true if the limit would have permitted a region, so that the device refused it} */
  boolean isRefusedByDevice() {
    long held = heldBytes();
    return limitBytes.orElse(held) - held >= request.bytes().orElse(Long.MAX_VALUE);
  }

  /**
   * {@return the most bytes that the allocator could hold at that moment; empty if the report does
   * not have this number, or if it is below the bytes that the allocator held}
   */
  OptionalLong usableLimitBytes() {
    return limitBytes.orElse(0) >= Math.max(UNIT, heldBytes()) ? limitBytes : OptionalLong.empty();
  }

  /** {@return the bytes of all regions} */
  long heldBytes() {
    return regions.stream().mapToLong(RecordedMemory.Region::bytes).sum();
  }

  /** {@return the least bytes of the next region: at least as many as the largest region has} */
  private OptionalLong nextRegionBytes() {
    return nextRegionBytes.isPresent()
        ? nextRegionBytes
        : regions.stream().mapToLong(RecordedMemory.Region::bytes).max();
  }

  /** {@return the memory at that moment} */
  RecordedMemory memory() {
    List<RecordedMemory.Region> sorted =
        regions.stream()
            .sorted((one, other) -> Long.compareUnsigned(one.address(), other.address()))
            .toList();
    return new RecordedMemory(sorted, usableLimitBytes(), nextRegionBytes(), doubts());
  }
}
