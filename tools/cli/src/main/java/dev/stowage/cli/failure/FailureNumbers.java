package dev.stowage.cli.failure;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of a failure: of its text, and derived from them.
 *
 * @param all the numbers of the text
 */
public record FailureNumbers(Map<FailurePart, PrintedBytes> all) {

  /** No numbers. */
  public static final FailureNumbers NONE = new FailureNumbers(Map.of());

  /** {@return these numbers with another one, if it is there} */
  FailureNumbers with(FailurePart part, Optional<PrintedBytes> number) {
    return number.map(bytes -> with(part, bytes)).orElse(this);
  }

  /** {@return these numbers with another one} */
  public FailureNumbers with(FailurePart part, PrintedBytes number) {
    Map<FailurePart, PrintedBytes> more = new EnumMap<>(FailurePart.class);
    more.putAll(all);
    more.put(part, number);
    return new FailureNumbers(more);
  }

  /** {@return these numbers and others; the more exact number of two counts} */
  FailureNumbers and(FailureNumbers others) {
    Map<FailurePart, PrintedBytes> more = new EnumMap<>(FailurePart.class);
    more.putAll(all);
    others.all.forEach((part, number) ->
        more.merge(
            part, number, (one, other) -> other.rangeBytes() < one.rangeBytes() ? other : one));
    return new FailureNumbers(more);
  }

  /** {@return a number of the text} */
  public Optional<PrintedBytes> get(FailurePart part) {
    return Optional.ofNullable(all.get(part));
  }

  boolean has(FailurePart part) {
    return all.containsKey(part);
  }

  /** {@return the free bytes that the allocator holds} */
  public Optional<PrintedBytes> cached() {
    return get(FailurePart.CACHED)
        .or(() -> difference(get(FailurePart.RESERVED), get(FailurePart.ALLOCATED)));
  }

  /** {@return the bytes that the allocator holds} */
  private Optional<PrintedBytes> reserved() {
    return get(FailurePart.RESERVED)
        .or(() -> sum(get(FailurePart.CACHED), get(FailurePart.ALLOCATED)));
  }

  /** {@return the bytes of the device that neither are free nor belong to the allocator} */
  public Optional<PrintedBytes> others() {
    return get(FailurePart.OTHERS).or(() -> difference(taken(), reserved()));
  }

  /** {@return the bytes of the device that other processes hold} */
  public Optional<PrintedBytes> otherProcesses() {
    return difference(taken(), get(FailurePart.PROCESS)).filter(bytes -> bytes.bytes() > 0);
  }

  private Optional<PrintedBytes> taken() {
    return difference(get(FailurePart.CAPACITY), get(FailurePart.DEVICE_FREE));
  }

  private static Optional<PrintedBytes> sum(
      Optional<PrintedBytes> one, Optional<PrintedBytes> other) {
    return one.flatMap(bytes -> other.map(bytes::plus));
  }

  private static Optional<PrintedBytes> difference(
      Optional<PrintedBytes> whole, Optional<PrintedBytes> part) {
    return whole.flatMap(bytes -> part.map(bytes::minus));
  }

  /** {@return the bytes of the process that do not belong to the allocator} */
  public Optional<PrintedBytes> outside() {
    return difference(get(FailurePart.PROCESS), reserved());
  }

  /** {@return the bytes in use below a limit: by the program and by others} */
  Optional<PrintedBytes> belowLimit() {
    Optional<PrintedBytes> allocated =
        get(FailurePart.ALLOCATED)
            .or(() -> get(FailurePart.RESERVED))
            .filter(bytes -> !bytes.isOverflow());
    return has(FailurePart.LIMIT) && has(FailurePart.OTHERS)
        ? sum(allocated, get(FailurePart.OTHERS))
        : allocated;
  }

  /** {@return true if the allocated bytes are 99 % of the limit, or more} */
  boolean isLimitReached() {
    return has(FailurePart.LIMIT)
        && bytes(get(FailurePart.ALLOCATED)) >= bytes(get(FailurePart.LIMIT)) / 100 * 99;
  }

  /** {@return the free bytes of the device, at most: its capacity without the reserved bytes} */
  Optional<PrintedBytes> mostFree() {
    return difference(get(FailurePart.CAPACITY), reserved());
  }

  /** {@return the cached bytes, at most: the capacity without the free and the allocated bytes} */
  Optional<PrintedBytes> mostCached() {
    return difference(taken(), get(FailurePart.ALLOCATED));
  }

  /** {@return the bytes that are missing even if all free bytes were one piece} */
  public Optional<PrintedBytes> missing() {
    Optional<PrintedBytes> requested = get(FailurePart.REQUESTED);
    if (has(FailurePart.MISSING) || requested.filter(PrintedBytes::isOverflow).isPresent()) {
      return get(FailurePart.MISSING);
    }
    if (has(FailurePart.AVAILABLE)) {
      return difference(requested, get(FailurePart.AVAILABLE));
    }
    if (has(FailurePart.LIMIT)) {
      return difference(sum(requested, belowLimit()), get(FailurePart.LIMIT))
          .filter(missing -> missing.bytes() > 0);
    }
    Optional<PrintedBytes> free = get(FailurePart.DEVICE_FREE).or(this::mostFree);
    return difference(difference(requested, free), cached());
  }

  /**
   * {@return a number in words: in a unit and in bytes if its name is in upper case, and briefly
   * otherwise; empty if it is not known}
   *
   * @param name the name of a {@link FailurePart}, or of a number that follows from others
   */
  Optional<String> text(String name) {
    String part = name.toUpperCase(Locale.ROOT);
    Optional<PrintedBytes> requested = get(FailurePart.REQUESTED);
    long missing = bytes(missing());
    Optional<PrintedBytes> number =
        switch (part) {
          case "CACHED" -> cached();
          case "RESERVED" -> reserved();
          case "OTHERS" -> others();
          case "MANY_OTHERS" -> others().filter(others -> others.bytes() >= missing);
          case "FEW_OTHERS" -> others().filter(others -> others.bytes() < missing);
          case "MOST_OTHERS" ->
              others()
                  .filter(_ -> has(FailurePart.CAPACITY))
                  .filter(others -> others.bytes() > bytes(reserved()))
                  .filter(others -> others.bytes() > bytes(get(FailurePart.DEVICE_FREE)));
          case "MISSING" -> missing().filter(_ -> missing > 0);
          case "MOST_FREE" -> mostFree();
          case "FREE" -> sum(cached(), get(FailurePart.DEVICE_FREE));
          case "NOTHING_AVAILABLE" ->
              get(FailurePart.AVAILABLE).filter(available -> available.bytes() == 0);
          case "USED" -> belowLimit();
          case "NEED" -> sum(get(FailurePart.ALLOCATED), requested);
          case "NEED_OF" -> get(FailurePart.CAPACITY).filter(_ -> has(FailurePart.ALLOCATED));
          case "EXCESS" ->
              difference(requested, get(FailurePart.CAPACITY))
                  .filter(excess -> excess.lowBytes() > 0);
          case "OVERFLOW" -> requested.filter(PrintedBytes::isOverflow);
          default ->
              all.entrySet().stream()
                  .filter(known -> known.getKey().name().equals(part))
                  .map(Map.Entry::getValue)
                  .findFirst();
        };
    return number.map(name.equals(part) ? PrintedBytes::shown : PrintedBytes::brief);
  }

  private static long bytes(Optional<PrintedBytes> number) {
    return number.map(PrintedBytes::bytes).orElse(0L);
  }
}
