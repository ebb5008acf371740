package dev.stowage.allocator;

import java.util.Locale;

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
   * @param unsplitBytes the bytes of chunks in use beyond their rounded requests
   * @param isRegionRefused true if the sub-allocator refused a new region
   */
  record Room(
      AllocatorStatistics statistics,
      long usableLimitBytes,
      long largestBytes,
      long unsplitBytes,
      boolean isRegionRefused) {

    /** {@return true if the request would be within the limit without rounding and rests} */
    boolean isLostToRounding(OutOfMemoryVerdict verdict, FailedRequest request) {
      return verdict == OutOfMemoryVerdict.FRAGMENTED
          && request.roundedBytes() > usableLimitBytes - statistics.bytesInUse();
    }

    private String limit() {
      return usableLimitBytes == statistics.limitBytes()
          ? "the limit"
          : String.format(
              Locale.ROOT, "the %d bytes of the limit that can be used", usableLimitBytes);
    }
  }

  /** {@return the numbers of private pools and of the allocator above, if there are any} */
  String others() {
    String held =
        relatives.poolBytes() == 0
            ? ""
            : String.format(Locale.ROOT, ", heldByPrivatePools=%d", relatives.poolBytes());
    return relatives.isLimitedAbove()
        ? String.format(Locale.ROOT, "%s, leftByItsAllocator=%d", held, relatives.leftBytes())
        : held;
  }

  /** {@return the reason with its numbers, in one sentence} */
  String reason() {
    return switch (verdict) {
      case REFUSED -> refusal();
      case DOES_NOT_FIT -> doesNotFit();
      case FRAGMENTED ->
          room.isLostToRounding(verdict, request)
              ? rounding()
              : room.statistics.freeBytes() >= request.roundedBytes() ? holes() : limitAndHoles();
      case LIMIT, TRANSIENT, UNKNOWN ->
          throw new IllegalStateException("not a verdict of an allocator: " + verdict);
    };
  }

  private String refusal() {
    return room.isRegionRefused
        ? String.format(
            Locale.ROOT,
            "The device refused %d bytes that the limit permits",
            request.neededBytes())
        : "The device refused to lengthen a region, which the limit permits";
  }

  private String rounding() {
    return String.format(
        Locale.ROOT,
        "Internal fragmentation: rounding and unsplit chunks take %d bytes, unsplit chunks %d of them;"
            + " without these, the request would be within %s",
        room.statistics.bytesInUse() - room.statistics.requestedBytesInUse(),
        room.unsplitBytes,
        room.limit());
  }

  private String doesNotFit() {
    return request.fitsInRegion()
        ? String.format(
            Locale.ROOT,
            "A true shortage: the request and the bytes in use are %d bytes more than %s",
            request.roundedBytes() - (room.usableLimitBytes - room.statistics.bytesInUse()),
            room.limit())
        : "A true shortage";
  }

  private String holes() {
    return room.largestBytes < request.roundedBytes()
        ? String.format(
            Locale.ROOT,
            "External fragmentation: enough bytes are free, but the largest chunk is %d bytes too small",
            request.roundedBytes() - room.largestBytes)
        : String.format(
            Locale.ROOT,
            "External fragmentation: enough bytes are free, but no chunk has %d bytes at a multiple of %d",
            request.roundedBytes(),
            request.alignment());
  }

  private String limitAndHoles() {
    return String.format(
        Locale.ROOT,
        "The limit is reached: it permits %d more bytes, and the largest free chunk has %d",
        room.usableLimitBytes - room.statistics.reservedBytes(),
        room.largestBytes);
  }
}
