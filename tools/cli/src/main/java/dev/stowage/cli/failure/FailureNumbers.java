package dev.stowage.cli.failure;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The numbers that a text of a failure gives, and those that follow from them. Immutable. */
public final class FailureNumbers {

  /** No numbers. */
  public static final FailureNumbers NONE = new FailureNumbers(new EnumMap<>(FailurePart.class));

  private final Map<FailurePart, PrintedBytes> numbers;

  private FailureNumbers(Map<FailurePart, PrintedBytes> numbers) {
    this.numbers = numbers;
  }

  /** {@return these numbers with another one, if it is there} */
  FailureNumbers with(FailurePart part, Optional<PrintedBytes> number) {
    if (number.isEmpty()) {
      return this;
    }
    Map<FailurePart, PrintedBytes> more = new EnumMap<>(numbers);
    more.put(part, number.get());
    return new FailureNumbers(more);
  }

  /** {@return these numbers with another one} */
  public FailureNumbers with(FailurePart part, PrintedBytes number) {
    return with(part, Optional.of(number));
  }

  /** {@return these numbers, and those that others have more exactly, or that only they have} */
  FailureNumbers and(FailureNumbers others) {
    Map<FailurePart, PrintedBytes> more = new EnumMap<>(FailurePart.class);
    more.putAll(numbers);
    others.numbers.forEach((part, number) ->
        more.merge(
            part, number, (one, other) -> other.rangeBytes() < one.rangeBytes() ? other : one));
    return new FailureNumbers(more);
  }

  /** {@return a number of the text} */
  public Optional<PrintedBytes> get(FailurePart part) {
    return Optional.ofNullable(numbers.get(part));
  }

  boolean has(FailurePart part) {
    return numbers.containsKey(part);
  }

  /** {@return all numbers of the text} */
  public Map<FailurePart, PrintedBytes> all() {
    return Collections.unmodifiableMap(numbers);
  }

  /** {@return the free bytes that the allocator holds} */
  public Optional<PrintedBytes> cached() {
    return get(FailurePart.CACHED)
        .or(() ->
            has(FailurePart.RESERVED) && has(FailurePart.ALLOCATED)
                ? Optional.of(
                    numbers.get(FailurePart.RESERVED).minus(numbers.get(FailurePart.ALLOCATED)))
                : Optional.empty());
  }

  /** {@return the bytes that the allocator holds} */
  Optional<PrintedBytes> reserved() {
    return get(FailurePart.RESERVED)
        .or(() ->
            has(FailurePart.CACHED) && has(FailurePart.ALLOCATED)
                ? Optional.of(
                    numbers.get(FailurePart.CACHED).plus(numbers.get(FailurePart.ALLOCATED)))
                : Optional.empty());
  }

  /** {@return the bytes of the device that neither are free nor belong to the allocator} */
  public Optional<PrintedBytes> others() {
    return get(FailurePart.OTHERS)
        .or(() ->
            has(FailurePart.CAPACITY) && has(FailurePart.DEVICE_FREE)
                ? reserved()
                    .map(held ->
                        numbers
                            .get(FailurePart.CAPACITY)
                            .minus(numbers.get(FailurePart.DEVICE_FREE))
                            .minus(held))
                : Optional.empty());
  }

  /** {@return the bytes of the process that do not belong to the allocator} */
  public Optional<PrintedBytes> outside() {
    return get(FailurePart.PROCESS).flatMap(process -> reserved().map(process::minus));
  }

  /** {@return the bytes in use below a limit: those of the program and of others} */
  Optional<PrintedBytes> belowLimit() {
    Optional<PrintedBytes> allocated =
        get(FailurePart.ALLOCATED)
            .or(() -> get(FailurePart.RESERVED))
            .filter(bytes -> !bytes.isOverflow());
    return has(FailurePart.LIMIT) && has(FailurePart.OTHERS) && allocated.isPresent()
        ? Optional.of(allocated.get().plus(numbers.get(FailurePart.OTHERS)))
        : allocated;
  }

  /** {@return the free bytes of the device, at most: its capacity without the reserved bytes} */
  Optional<PrintedBytes> mostFree() {
    return get(FailurePart.CAPACITY).flatMap(capacity -> reserved().map(capacity::minus));
  }

  /** {@return the bytes that are missing even if all free bytes were one piece} */
  public Optional<PrintedBytes> missing() {
    Optional<PrintedBytes> requested = get(FailurePart.REQUESTED);
    if (has(FailurePart.MISSING) || requested.isEmpty() || requested.get().isOverflow()) {
      return get(FailurePart.MISSING);
    }
    if (has(FailurePart.AVAILABLE)) {
      return Optional.of(requested.get().minus(numbers.get(FailurePart.AVAILABLE)));
    }
    if (has(FailurePart.LIMIT)) {
      return belowLimit()
          .map(used -> requested.get().plus(used).minus(numbers.get(FailurePart.LIMIT)))
          .filter(missing -> missing.bytes() > 0);
    }
    return get(FailurePart.DEVICE_FREE)
        .or(this::mostFree)
        .flatMap(free -> cached().map(cached -> requested.get().minus(free).minus(cached)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FailureNumbers that && numbers.equals(that.numbers);
  }

  @Override
  public int hashCode() {
    return numbers.hashCode();
  }

  @Override
  public String toString() {
    return numbers.toString();
  }
}
