package dev.stowage.cli.failure;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The numbers that a text of a failure gives, and those that follow from them. Immutable. */
public final class FailureNumbers {

  /** No numbers. */
  public static final FailureNumbers NONE = new FailureNumbers(new EnumMap<>(Part.class));

  private final Map<Part, PrintedBytes> numbers;

  private FailureNumbers(Map<Part, PrintedBytes> numbers) {
    this.numbers = numbers;
  }

  /** {@return these numbers with another one, if it is there} */
  FailureNumbers with(Part part, Optional<PrintedBytes> number) {
    if (number.isEmpty()) {
      return this;
    }
    Map<Part, PrintedBytes> more = new EnumMap<>(numbers);
    more.put(part, number.get());
    return new FailureNumbers(more);
  }

  /** {@return these numbers with another one} */
  public FailureNumbers with(Part part, PrintedBytes number) {
    return with(part, Optional.of(number));
  }

  /** {@return these numbers, and those that others have more exactly, or that only they have} */
  FailureNumbers and(FailureNumbers others) {
    Map<Part, PrintedBytes> more = new EnumMap<>(Part.class);
    more.putAll(numbers);
    others.numbers.forEach((part, number) ->
        more.merge(
            part, number, (one, other) -> other.rangeBytes() < one.rangeBytes() ? other : one));
    return new FailureNumbers(more);
  }

  /** {@return a number of the text} */
  public Optional<PrintedBytes> get(Part part) {
    return Optional.ofNullable(numbers.get(part));
  }

  boolean has(Part part) {
    return numbers.containsKey(part);
  }

  /** {@return all numbers of the text} */
  public Map<Part, PrintedBytes> all() {
    return Collections.unmodifiableMap(numbers);
  }

  /** {@return the free bytes that the allocator holds} */
  public Optional<PrintedBytes> cached() {
    return get(Part.CACHED)
        .or(() ->
            has(Part.RESERVED) && has(Part.ALLOCATED)
                ? Optional.of(numbers.get(Part.RESERVED).minus(numbers.get(Part.ALLOCATED)))
                : Optional.empty());
  }

  /** {@return the bytes that the allocator holds} */
  Optional<PrintedBytes> reserved() {
    return get(Part.RESERVED)
        .or(() ->
            has(Part.CACHED) && has(Part.ALLOCATED)
                ? Optional.of(numbers.get(Part.CACHED).plus(numbers.get(Part.ALLOCATED)))
                : Optional.empty());
  }

  /** {@return the bytes of the device that neither are free nor belong to the allocator} */
  public Optional<PrintedBytes> others() {
    return get(Part.OTHERS)
        .or(() ->
            has(Part.CAPACITY) && has(Part.DEVICE_FREE)
                ? reserved()
                    .map(held ->
                        numbers.get(Part.CAPACITY).minus(numbers.get(Part.DEVICE_FREE)).minus(held))
                : Optional.empty());
  }

  /** {@return the bytes of the process that do not belong to the allocator} */
  public Optional<PrintedBytes> outside() {
    return get(Part.PROCESS).flatMap(process -> reserved().map(process::minus));
  }

  /** {@return the bytes in use below a limit: those of the program and of others} */
  Optional<PrintedBytes> belowLimit() {
    Optional<PrintedBytes> allocated =
        get(Part.ALLOCATED).or(() -> get(Part.RESERVED)).filter(bytes -> !bytes.isOverflow());
    return has(Part.LIMIT) && has(Part.OTHERS) && allocated.isPresent()
        ? Optional.of(allocated.get().plus(numbers.get(Part.OTHERS)))
        : allocated;
  }

  /** {@return the free bytes of the device, at most: its capacity without the reserved bytes} */
  Optional<PrintedBytes> mostFree() {
    return get(Part.CAPACITY).flatMap(capacity -> reserved().map(capacity::minus));
  }

  /** {@return the bytes that are missing even if all free bytes were one piece} */
  public Optional<PrintedBytes> missing() {
    Optional<PrintedBytes> requested = get(Part.REQUESTED);
    if (has(Part.MISSING) || requested.isEmpty() || requested.get().isOverflow()) {
      return get(Part.MISSING);
    }
    if (has(Part.AVAILABLE)) {
      return Optional.of(requested.get().minus(numbers.get(Part.AVAILABLE)));
    }
    if (has(Part.LIMIT)) {
      return belowLimit()
          .map(used -> requested.get().plus(used).minus(numbers.get(Part.LIMIT)))
          .filter(missing -> missing.bytes() > 0);
    }
    return get(Part.DEVICE_FREE)
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
