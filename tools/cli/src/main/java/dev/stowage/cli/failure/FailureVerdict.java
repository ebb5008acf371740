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

/** The verdict on a failure of which a text gives rounded numbers, or not all numbers. */
final class FailureVerdict {

  /*
   * OutOfMemoryNumbers decides for exact numbers. Each of its comparisons is monotonic in each
   * number, so that it decides here for all corners of the intervals. The verdict is theirs if they
   * agree; otherwise it is unknown, and the sides are those of the corners.
   *
   * A number that is missing has an interval if others bound it:
   *
   *   free bytes    0 to the capacity without the reserved bytes
   *   cached bytes  0 to the capacity without the free and the allocated ones
   *
   * If the text says that a limit was exceeded, the corner counts that exceeds it most.
   */

  private final Failure failure;
  private final FailureNumbers numbers;

  private FailureVerdict(Failure failure) {
    this.failure = failure;
    numbers = failure.numbers();
  }

  /** {@return the verdicts that the numbers of a failure permit; one if they tell the cause} */
  static Set<OutOfMemoryVerdict> of(Failure failure) {
    return new FailureVerdict(failure).possible();
  }

  private Set<OutOfMemoryVerdict> possible() {
    return switch (failure.cause()) {
      case LIMIT -> Set.of(exceeded().verdict());
      case MACHINE ->
          Set.of(OutOfMemoryNumbers.ofRequest(1).with(Quantity.DEVICE_FREE, 0).verdict());
      case GROWTH, KILLED -> Set.of(OutOfMemoryVerdict.UNKNOWN);
      case REQUEST, REFUSAL -> requested();
    };
  }

  /** {@return numbers of a request beyond the limit of the text} */
  private OutOfMemoryNumbers exceeded() {
    long requested = Math.max(1, failure.requested().map(PrintedBytes::highBytes).orElse(1L));
    long permitted =
        numbers
            .get(FailurePart.AVAILABLE)
            .or(() ->
                numbers.has(FailurePart.LIMIT)
                    ? numbers
                        .belowLimit()
                        .map(used -> numbers.get(FailurePart.LIMIT).orElseThrow().minus(used))
                    : Optional.empty())
            .map(PrintedBytes::lowBytes)
            .orElse(0L);
    return OutOfMemoryNumbers.ofRequest(requested)
        .with(Quantity.LIMIT, Math.min(permitted, requested - 1))
        .withProgramLimit();
  }

  private Set<OutOfMemoryVerdict> requested() {
    if (numbers.has(FailurePart.PROGRAM_TOTAL) && numbers.has(FailurePart.CAPACITY)) {
      return Set.of(OutOfMemoryVerdict.DOES_NOT_FIT); // a compiler reports that
    }
    if (failure.requested().isEmpty()) {
      return Set.of(OutOfMemoryVerdict.UNKNOWN);
    }
    Map<Quantity, PrintedBytes> known = known();
    List<OutOfMemoryNumbers> corners = new ArrayList<>();
    corners.add(OutOfMemoryNumbers.ofRequest(1));
    for (Map.Entry<Quantity, PrintedBytes> number : known.entrySet()) {
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
    for (OutOfMemoryNumbers corner : corners) {
      OutOfMemoryNumbers ofProgram = isLimitOfProgram() ? corner.withProgramLimit() : corner;
      verdicts.add((isRefusedForOthers() ? ofProgram.withRefusal() : ofProgram).verdict());
    }
    return verdicts;
  }

  /**
   * {@return true if others hold more of the memory below the limit than the allocator does, so
   * that the device refused a region that the limit permits}
   */
  private boolean isRefusedForOthers() {
    return failure.cause() == Cause.REFUSAL && others() > reserved();
  }

  /** {@return the bytes below the limit that the device did not give, at least} */
  private long others() {
    return numbers.get(FailurePart.LIMIT).map(PrintedBytes::lowBytes).orElse(0L)
        - reserved()
        - failure.requested().map(PrintedBytes::highBytes).orElse(0L);
  }

  private long reserved() {
    return numbers.get(FailurePart.RESERVED).map(PrintedBytes::highBytes).orElse(0L);
  }

  /** {@return true for a limit that the text calls one of the program} */
  private boolean isLimitOfProgram() {
    return failure.program().isPytorch() && numbers.has(FailurePart.LIMIT);
  }

  private Map<Quantity, PrintedBytes> known() {
    Map<Quantity, PrintedBytes> known = new EnumMap<>(Quantity.class);
    known.put(Quantity.REQUESTED, failure.requested().orElseThrow());
    put(known, Quantity.IN_USE, numbers.get(FailurePart.ALLOCATED));
    put(known, Quantity.CACHED, cached());
    put(known, Quantity.DEVICE_FREE, deviceFree());
    put(known, Quantity.LARGEST_HOLE, numbers.get(FailurePart.LARGEST_HOLE));
    // If the device refused a region below the limit, the memory that it gave is the limit.
    put(
        known,
        Quantity.LIMIT,
        numbers.get(failure.cause() == Cause.REFUSAL ? FailurePart.RESERVED : FailurePart.LIMIT));
    if (numbers.has(FailurePart.POOL_MOST) && numbers.has(FailurePart.PROGRAM_TOTAL)) {
      // The request is one of the buffers of the program, which are all in the pool.
      known.put(
          Quantity.LIMIT,
          PrintedBytes.between(0, numbers.get(FailurePart.POOL_MOST).orElseThrow().highBytes()));
      known.put(
          Quantity.IN_USE,
          numbers
              .get(FailurePart.PROGRAM_TOTAL)
              .orElseThrow()
              .minus(failure.requested().orElseThrow()));
    }
    return known;
  }

  private static void put(
      Map<Quantity, PrintedBytes> known, Quantity quantity, Optional<PrintedBytes> number) {
    number.ifPresent(bytes -> known.put(quantity, bytes));
  }

  private Optional<PrintedBytes> deviceFree() {
    return numbers
        .get(FailurePart.DEVICE_FREE)
        .or(() -> numbers.mostFree().map(most -> PrintedBytes.between(0, most.highBytes())));
  }

  private Optional<PrintedBytes> cached() {
    return numbers
        .cached()
        .or(() ->
            numbers
                .get(FailurePart.CAPACITY)
                .flatMap(capacity -> numbers.get(FailurePart.DEVICE_FREE).map(capacity::minus))
                .flatMap(taken -> numbers.get(FailurePart.ALLOCATED).map(taken::minus))
                .map(most -> PrintedBytes.between(0, most.highBytes())));
  }
}
