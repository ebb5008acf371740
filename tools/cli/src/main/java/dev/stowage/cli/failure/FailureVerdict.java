package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.cli.failure.Failure.Cause;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The verdict on a failure. The text can have rounded numbers, and can lack some numbers. */
final class FailureVerdict {

  /*
   * OutOfMemoryNumbers decides for exact numbers. Each of its comparisons is monotonic in each
   * number. It is therefore enough that it decides for all corners of the intervals. If the corners
   * agree, they give the verdict. Otherwise the verdict is unknown, and each corner is a possible
   * one.
   *
   * A missing number has an interval if other numbers bound it:
   *
   *   free bytes    0 to the capacity without the reserved bytes
   *   cached bytes  0 to the capacity without the free and the allocated bytes
   */

  private final Failure failure;
  private final FailureNumbers numbers;

  private FailureVerdict(Failure failure) {
    this.failure = failure;
    numbers = failure.numbers();
  }

  /**
   * {@return the verdicts that the numbers of a failure permit; only one if the cause is certain}
   */
  static Set<OutOfMemoryVerdict> of(Failure failure) {
    return switch (failure.cause()) {
      case LIMIT -> Set.of(OutOfMemoryVerdict.LIMIT);
      case MACHINE -> Set.of(OutOfMemoryVerdict.DOES_NOT_FIT);
      case GROWTH, KILLED -> Set.of(OutOfMemoryVerdict.UNKNOWN);
      case REQUEST, REFUSAL -> new FailureVerdict(failure).possible();
    };
  }

  private Set<OutOfMemoryVerdict> possible() {
    if (numbers.has(FailurePart.PROGRAM_TOTAL) && numbers.has(FailurePart.CAPACITY)) {
      return Set.of(OutOfMemoryVerdict.DOES_NOT_FIT); // a compiler reports that
    }
    if (failure.requested().isEmpty()) {
      return Set.of(OutOfMemoryVerdict.UNKNOWN);
    }
    OutOfMemoryNumbers start = OutOfMemoryNumbers.ofRequest(1);
    if (failure.program().isPytorch() && numbers.has(FailurePart.LIMIT)) {
      start = start.withProgramLimit();
    }
    List<OutOfMemoryNumbers> corners = List.of(isRefusedForOthers() ? start.withRefusal() : start);
    for (Map.Entry<Quantity, PrintedBytes> number : known().entrySet()) {
      List<OutOfMemoryNumbers> more = new ArrayList<>();
      for (OutOfMemoryNumbers corner : corners) {
        more.add(corner.with(number.getKey(), number.getValue().lowBytes()));
        if (!number.getValue().isExact()) {
          more.add(corner.with(number.getKey(), number.getValue().highBytes()));
        }
      }
      corners = more;
    }
    Set<OutOfMemoryVerdict> verdicts = EnumSet.noneOf(OutOfMemoryVerdict.class);
    corners.forEach(corner -> verdicts.add(corner.verdict()));
    return verdicts;
  }

  /**
   * {@return true if the device refused a region that the limit permits, because others hold more
   * memory below the limit than the allocator}
   */
  private boolean isRefusedForOthers() {
    long limit = numbers.get(FailurePart.LIMIT).map(PrintedBytes::lowBytes).orElse(0L);
    long reserved = numbers.get(FailurePart.RESERVED).map(PrintedBytes::highBytes).orElse(0L);
    long requested = failure.requested().map(PrintedBytes::highBytes).orElse(0L);
    return failure.cause() == Cause.REFUSAL && limit - reserved - requested > reserved;
  }

  private Map<Quantity, PrintedBytes> known() {
    PrintedBytes requested = failure.requested().orElseThrow();
    Map<Quantity, Optional<PrintedBytes>> known = new EnumMap<>(Quantity.class);
    known.put(Quantity.REQUESTED, Optional.of(requested));
    known.put(Quantity.IN_USE, numbers.get(FailurePart.ALLOCATED));
    known.put(Quantity.CACHED, numbers.cached().or(() -> upTo(numbers.mostCached())));
    known.put(
        Quantity.DEVICE_FREE,
        numbers.get(FailurePart.DEVICE_FREE).or(() -> upTo(numbers.mostFree())));
    known.put(Quantity.LARGEST_HOLE, numbers.get(FailurePart.LARGEST_HOLE));
    // If the device refused a region below the limit, the memory that it gave is the limit.
    known.put(
        Quantity.LIMIT,
        numbers.get(failure.cause() == Cause.REFUSAL ? FailurePart.RESERVED : FailurePart.LIMIT));
    if (numbers.has(FailurePart.POOL_MOST) && numbers.has(FailurePart.PROGRAM_TOTAL)) {
      // The request is one of the buffers of the program, which are all in the pool.
      known.put(Quantity.LIMIT, upTo(numbers.get(FailurePart.POOL_MOST)));
      known.put(
          Quantity.IN_USE,
          numbers.get(FailurePart.PROGRAM_TOTAL).map(total -> total.minus(requested)));
    }
    Map<Quantity, PrintedBytes> present = new EnumMap<>(Quantity.class);
    known.forEach((quantity, number) -> number.ifPresent(bytes -> present.put(quantity, bytes)));
    return present;
  }

  /** {@return any number of bytes up to one} */
  private static Optional<PrintedBytes> upTo(Optional<PrintedBytes> most) {
    return most.map(bytes -> PrintedBytes.between(0, bytes.highBytes()));
  }
}
