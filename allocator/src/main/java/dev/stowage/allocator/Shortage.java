package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reason for a failed request, and the smallest changes with which it would have passed.
 *
 * @param verdict the reason
 * @param request the request
 * @param room the memory of the allocator at that moment
 * @param remedy the changes
 * @param relatives the other holders of common limits
 */
record Shortage(
    OutOfMemoryVerdict verdict,
    FailedRequest request,
    Room room,
    Remedy remedy,
    Relatives relatives) {

  /**
   * The memory of an allocator.
   *
   * @param statistics the numbers of the allocator
   * @param usableLimitBytes the limit, rounded down to the granularity of the sub-allocator
   * @param largestBytes the bytes of the largest free chunk that the request may use
   * @param refusal the sizes of a new region that the sub-allocator refused
   */
  record Room(
      AllocatorStatistics statistics,
      long usableLimitBytes,
      long largestBytes,
      Optional<RegionSupply.Refusal> refusal) {

    /** {@return the bytes that are free or may be; a limit may be lower than the bytes held} */
    private long leftBytes() {
      return Math.max(usableLimitBytes, statistics.reservedBytes()) - statistics.bytesInUse();
    }

    private String limit() {
      return usableLimitBytes == statistics.limitBytes()
          ? "the limit"
          : "the " + ByteCount.text(usableLimitBytes) + " of the limit that can be used";
    }

    private long permittedBytes() {
      return Math.max(0, usableLimitBytes - statistics.reservedBytes());
    }
  }

  /**
   * {@return the message of the failure, in full sentences}
   *
   * @param report the allocator as it was when the request failed
   * @param tag the path of tags of the request, empty for none
   */
  String message(AllocatorReport report, String tag) {
    String failure =
        String.format(
            Locale.ROOT,
            "allocator '%s' is out of memory%s: %s.",
            report.allocator(),
            tag.isEmpty() ? "" : String.format(Locale.ROOT, " for '%s'", tag),
            FailedRequest.describe(request.requestedBytes(), request.roundedBytes()));
    return Stream.of(failure, reason(), holder(report), remedy.describe(), state())
        .filter(sentence -> !sentence.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** {@return the largest holder, if the memory in use is the reason for too few bytes} */
  private String holder(AllocatorReport report) {
    if (verdict == OutOfMemoryVerdict.REFUSED
        || request.roundedBytes() > room.usableLimitBytes
        || request.roundedBytes() <= room.leftBytes()
        || report.holders().isEmpty()
        || report.holders().getFirst().tag().isEmpty()) {
      return "";
    }
    AllocatorReport.Holder largest = report.holders().getFirst();
    return String.format(
        Locale.ROOT,
        "'%s' holds %s in %s.",
        largest.tag(),
        ByteCount.text(largest.bytes()),
        AllocatorReport.counted(largest.allocations(), "allocation"));
  }

  private String state() {
    long limitBytes = room.statistics.limitBytes();
    return String.format(
        Locale.ROOT,
        "In use: %s; reserved: %s; limit: %s%s.",
        ByteCount.text(room.statistics.bytesInUse()),
        ByteCount.text(room.statistics.reservedBytes()),
        limitBytes == Long.MAX_VALUE ? "none" : ByteCount.exact(limitBytes),
        others());
  }

  private String others() {
    String held =
        relatives.poolBytes() == 0
            ? ""
            : "; held by private pools: " + ByteCount.text(relatives.poolBytes());
    return relatives.isLimitedAbove()
        ? held + "; left by its allocator: " + ByteCount.text(relatives.leftBytes())
        : held;
  }

  private String reason() {
    return switch (verdict) {
      case REFUSED -> refusal();
      case DOES_NOT_FIT -> doesNotFit();
      case FRAGMENTED ->
          request.roundedBytes() > room.leftBytes()
              ? rounding()
              : room.statistics.freeBytes() >= request.roundedBytes() ? holes() : limitAndHoles();
      case LIMIT, TRANSIENT, UNKNOWN ->
          throw new IllegalStateException("not a verdict of an allocator: " + verdict);
    };
  }

  private String refusal() {
    if (room.refusal.isEmpty()) {
      return "The device refused to lengthen a region, which the limit permits.";
    }
    long most = room.refusal.get().mostBytes();
    long least = room.refusal.get().leastBytes();
    return String.format(
        Locale.ROOT,
        "The device refused %s%s, which the limit permits.",
        ByteCount.exact(most),
        least == most ? "" : " and smaller regions down to " + ByteCount.exact(least));
  }

  private String rounding() {
    return String.format(
        Locale.ROOT,
        "%s Rounding and unsplit chunks take %s; without these, the request would be within the limit.",
        excess(),
        ByteCount.text(room.statistics.bytesInUse() - room.statistics.requestedBytesInUse()));
  }

  private String doesNotFit() {
    return request.fitsInRegion() ? excess() : "The request does not fit into any region.";
  }

  private String excess() {
    long usedBytes = room.statistics.bytesInUse();
    return String.format(
        Locale.ROOT,
        "%s %s more than %s.",
        usedBytes == 0 ? "The request is" : "The request and the memory in use are",
        ByteCount.text(request.roundedBytes() - (room.usableLimitBytes - usedBytes)),
        room.limit());
  }

  private String holes() {
    return room.largestBytes < request.roundedBytes()
        ? String.format(
            Locale.ROOT,
            "Enough bytes are free, but no hole is large enough: of %s, the largest free chunk has %s, %s"
                + " too few.",
            ByteCount.text(room.statistics.freeBytes()),
            ByteCount.text(room.largestBytes),
            ByteCount.text(request.roundedBytes() - room.largestBytes))
        : String.format(
            Locale.ROOT,
            "Enough bytes are free, but no free chunk has %s at a multiple of %s.",
            ByteCount.text(request.roundedBytes()),
            ByteCount.text(request.alignment()));
  }

  private String limitAndHoles() {
    return String.format(
        Locale.ROOT,
        "No hole is large enough: %s, and the limit permits %s more.",
        room.largestBytes == 0
            ? "no chunk is free"
            : "the largest free chunk has " + ByteCount.text(room.largestBytes),
        ByteCount.text(room.permittedBytes()));
  }
}
