package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.cli.failure.Failure.Cause;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

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

  /** The free bytes that the driver may need for its pages and granules. */
  private static final long KEPT_BYTES = 64L << 20;

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
    // A compiler reports a program that is larger than the device.
    if ((numbers.has(FailurePart.PROGRAM_TOTAL) && numbers.has(FailurePart.CAPACITY))
        || failure.requested().filter(PrintedBytes::isOverflow).isPresent()) {
      return Set.of(OutOfMemoryVerdict.DOES_NOT_FIT);
    }
    if (failure.cause() == Cause.REFUSAL && numbers.get(FailurePart.RESERVED).isEmpty()) {
      return Set.of(OutOfMemoryVerdict.REFUSED);
    }
    if (failure.requested().isEmpty()) {
      return Set.of(OutOfMemoryVerdict.UNKNOWN);
    }
    OutOfMemoryNumbers start = OutOfMemoryNumbers.ofRequest(1);
    if (failure.program().isPytorch() && numbers.has(FailurePart.LIMIT)) {
      start = start.withProgramLimit();
    }
    List<OutOfMemoryNumbers> corners = List.of(isRefusedForOthers() ? start.withRefusal() : start);
    for (Map.Entry<Quantity, Optional<PrintedBytes>> number : known().entrySet()) {
      if (number.getValue().isPresent()) {
        Quantity quantity = number.getKey();
        PrintedBytes bytes = number.getValue().get();
        corners =
            corners.stream()
                .flatMap(corner ->
                    LongStream.of(bytes.lowBytes(), bytes.highBytes())
                        .distinct()
                        .mapToObj(end -> corner.with(quantity, end)))
                .toList();
      }
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
    long limit = numbers.given(FailurePart.LIMIT).map(PrintedBytes::lowBytes).orElse(0L);
    long reserved = numbers.given(FailurePart.RESERVED).map(PrintedBytes::highBytes).orElse(0L);
    long requested = failure.requested().map(PrintedBytes::highBytes).orElse(0L);
    return failure.cause() == Cause.REFUSAL && limit - reserved - requested > reserved;
  }

  private Map<Quantity, Optional<PrintedBytes>> known() {
    PrintedBytes requested = failure.requested().orElseThrow();
    // The request is one of the buffers of the program, which are all in the pool.
    boolean isInPool = numbers.has(FailurePart.POOL_MOST) && numbers.has(FailurePart.PROGRAM_TOTAL);
    // If the device refused a region below the limit, the memory that it gave is the limit.
    FailurePart limit = failure.cause() == Cause.REFUSAL ? FailurePart.RESERVED : FailurePart.LIMIT;
    return Map.of(
        Quantity.REQUESTED,
        Optional.of(requested),
        Quantity.IN_USE,
        isInPool
            ? numbers.given(FailurePart.PROGRAM_TOTAL).map(total -> total.minus(requested))
            : numbers.given(FailurePart.ALLOCATED),
        Quantity.CACHED,
        numbers.get(FailurePart.CACHED).or(() -> upTo(FailurePart.MOST_CACHED)),
        Quantity.DEVICE_FREE,
        numbers
            .given(FailurePart.DEVICE_FREE)
            .map(this::usable)
            .or(() -> upTo(FailurePart.MOST_FREE)),
        Quantity.LARGEST_HOLE,
        numbers.given(FailurePart.LARGEST_HOLE),
        Quantity.LIMIT,
        isInPool ? upTo(FailurePart.POOL_MOST) : numbers.given(limit));
  }

  /** {@return the free bytes of the device; none if the driver may keep what the request leaves} */
  private PrintedBytes usable(PrintedBytes free) {
    long rest = free.bytes() - failure.requested().orElseThrow().bytes();
    return rest >= 0 && rest < KEPT_BYTES ? PrintedBytes.exact(0) : free;
  }

  /** {@return any number of bytes up to one} */
  private Optional<PrintedBytes> upTo(FailurePart most) {
    return numbers.get(most).map(bytes -> PrintedBytes.between(0, bytes.highBytes()));
  }
}
