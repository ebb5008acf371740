package dev.stowage.cli.failure;

import java.util.Optional;

/**
 * The numbers of a report of a BFC allocator, which may be cut anywhere: the list of chunks, the
 * sums below it, and the map.
 */
final class BfcReport {

  private static final PrintedBytes NONE = PrintedBytes.exact(0);

  private static final long MAP_CHARS = 100;

  private BfcReport() {}

  /** {@return true if a report has its request and all chunks, as far as sums show that} */
  static boolean isReplayed(FailureNumbers known) {
    return known.has(FailurePart.REQUESTED)
        && hasList(known)
        && (!known.has(FailurePart.RESERVED) || isWhole(known));
  }

  private static boolean hasList(FailureNumbers known) {
    return known.has(FailurePart.CHUNKS_IN_USE) || known.has(FailurePart.CHUNKS_FREE);
  }

  /** {@return true if the list has all chunks, as the sums show} */
  private static boolean isWhole(FailureNumbers known) {
    PrintedBytes inUse = known.given(FailurePart.CHUNKS_IN_USE).orElse(NONE);
    PrintedBytes free = known.given(FailurePart.CHUNKS_FREE).orElse(NONE);
    Optional<PrintedBytes> total = known.given(FailurePart.RESERVED);
    Optional<PrintedBytes> stated = known.given(FailurePart.STATED_IN_USE);
    return hasList(known)
        && (total.isPresent()
            ? total.get().equals(inUse.plus(free))
            : stated.filter(inUse::equals).isPresent());
  }

  /** {@return a report with the numbers that follow from its chunks, sums and map} */
  static Failure settled(Failure report) {
    FailureNumbers known = report.numbers();
    PrintedBytes inUse = known.given(FailurePart.CHUNKS_IN_USE).orElse(NONE);
    PrintedBytes free = known.given(FailurePart.CHUNKS_FREE).orElse(NONE);
    boolean hasList = hasList(known);
    Optional<PrintedBytes> total = known.given(FailurePart.RESERVED);
    Optional<PrintedBytes> stated = known.given(FailurePart.STATED_IN_USE);
    boolean isWhole = isWhole(known);
    FailureNumbers numbers = known;
    if (hasList) {
      numbers =
          numbers
              .with(FailurePart.ALLOCATED, isWhole ? inUse : inUse.orMore())
              .with(FailurePart.CACHED, isWhole ? free : free.orMore());
    }
    if (isWhole && !known.has(FailurePart.LARGEST_HOLE)) {
      numbers = numbers.with(FailurePart.LARGEST_HOLE, NONE);
    }
    if (!isWhole && total.isPresent() && stated.isPresent()) {
      // The sums count; a part of the list is left out.
      numbers =
          numbers
              .with(FailurePart.ALLOCATED, stated)
              .with(FailurePart.CACHED, total.get().minus(stated.get()));
    }
    if (!hasList && total.isEmpty()) {
      numbers = numbers.with(FailurePart.POOL_MOST, mostOfMap(known));
    }
    return report.with(isRefused(known) ? Failure.Cause.REFUSAL : report.cause(), numbers);
  }

  /** {@return the bytes of the pool, at most: the request is larger than the longest free part} */
  private static Optional<PrintedBytes> mostOfMap(FailureNumbers known) {
    long longest = known.given(FailurePart.MAP_FREE).map(PrintedBytes::bytes).orElse(0L);
    return known
        .given(FailurePart.REQUESTED)
        .filter(requested -> longest > 0 && !requested.isOverflow())
        .map(requested -> PrintedBytes.exact(requested.highBytes() / longest * MAP_CHARS));
  }

  /** {@return true if the device refused a region that the limit permits} */
  private static boolean isRefused(FailureNumbers known) {
    return known.has(FailurePart.REQUESTED)
        && known.has(FailurePart.LIMIT)
        && known.has(FailurePart.RESERVED)
        && known.bytes(FailurePart.LIMIT) - known.bytes(FailurePart.RESERVED)
            >= known.given(FailurePart.REQUESTED).orElseThrow().highBytes();
  }
}
