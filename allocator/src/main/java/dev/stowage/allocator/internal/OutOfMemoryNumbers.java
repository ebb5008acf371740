package dev.stowage.allocator.internal;

import dev.stowage.allocator.OutOfMemoryVerdict;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The numbers of a failed request, from which its {@link OutOfMemoryVerdict} follows.
 *
 * <p>A number that is not given is unknown. Immutable.
 */
public final class OutOfMemoryNumbers {

  /*
   * The first rule that holds decides:
   *
   *   TRANSIENT     a hole for the request is large enough
   *   REFUSED       the device refused a region, or has free bytes for it, and the limit permits it
   *   UNKNOWN       neither the free bytes of the device nor the limit is known, and too few are cached
   *   FRAGMENTED    the cached and the available bytes are enough, or would be with the waste
   *   LIMIT         the program set the limit, or the device has bytes that the limit does not permit
   *   DOES_NOT_FIT  the rest
   *
   * Available bytes are free at the device, and the limit permits them. Waste counts if it is at
   * least the missing bytes and at least 1 % of the bytes in use. Less waste does not explain a
   * failure.
   */

  /** A number, in bytes. */
  public enum Quantity {
    /** The request, rounded as the allocator rounds it. */
    REQUESTED,
    /** The region that the allocator would get from the device for it; the request by default. */
    REGION,
    /** The chunks in use, with their waste. */
    IN_USE,
    /** The free bytes that the allocator holds. */
    CACHED,
    /** The largest free chunk that the request may use. */
    LARGEST_HOLE,
    /** The bytes in use beyond the requested ones: rounding, and rests that were not split off. */
    WASTE,
    /** The free bytes of the device. */
    DEVICE_FREE,
    /** The bytes that other allocators and processes hold at the device. */
    OTHERS,
    /** The most bytes that the allocator may hold. */
    LIMIT
  }

  /** The least share of waste in the bytes in use that explains a failure, as a divisor. */
  private static final long WASTE_DIVISOR = 100;

  private final Map<Quantity, Long> bytes;
  private final boolean isRefused;
  private final boolean isProgramLimit;

  private OutOfMemoryNumbers(Map<Quantity, Long> bytes, boolean isRefused, boolean isProgramLimit) {
    this.bytes = bytes;
    this.isRefused = isRefused;
    this.isProgramLimit = isProgramLimit;
  }

  /**
   * {@return the numbers of a request without other known numbers}
   *
   * @param bytes the request, rounded as the allocator rounds it; positive
   * @throws IllegalArgumentException if {@code bytes < 1}
   */
  public static OutOfMemoryNumbers ofRequest(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    return new OutOfMemoryNumbers(Map.of(Quantity.REQUESTED, bytes), false, false);
  }

  /**
   * {@return these numbers with another one}
   *
   * @param quantity the quantity
   * @param number its bytes, at least 0
   * @throws IllegalArgumentException if {@code number < 0}
   */
  public OutOfMemoryNumbers with(Quantity quantity, long number) {
    if (number < 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be at least 0: bytes=%d", quantity, number));
    }
    Map<Quantity, Long> more = new EnumMap<>(bytes);
    more.put(quantity, number);
    return new OutOfMemoryNumbers(more, isRefused, isProgramLimit);
  }

  /** {@return these numbers of a request for which the device refused a region} */
  public OutOfMemoryNumbers withRefusal() {
    return new OutOfMemoryNumbers(bytes, true, isProgramLimit);
  }

  /** {@return these numbers with a limit that a setting of the program can raise} */
  public OutOfMemoryNumbers withProgramLimit() {
    return new OutOfMemoryNumbers(bytes, isRefused, true);
  }

  /** {@return true if a setting of the program can raise the limit} */
  public boolean isProgramLimit() {
    return isProgramLimit;
  }

  /**
   * {@return the bytes of a quantity; empty if they are unknown}
   *
   * @param quantity the quantity
   */
  public OptionalLong get(Quantity quantity) {
    Long number = bytes.get(quantity);
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** {@return true if all numbers are equal} */
  @Override
  public boolean equals(Object other) {
    return other instanceof OutOfMemoryNumbers that
        && bytes.equals(that.bytes)
        && isRefused == that.isRefused
        && isProgramLimit == that.isProgramLimit;
  }

  @Override
  public int hashCode() {
    return bytes.hashCode();
  }

  /** {@return the numbers that are known} */
  @Override
  public String toString() {
    return bytes.toString();
  }

  /** {@return the cause of the failure} */
  public OutOfMemoryVerdict verdict() {
    long requested = or(Quantity.REQUESTED, 0);
    long region = or(Quantity.REGION, requested);
    long permitted = permittedBytes();
    long deviceFree = or(Quantity.DEVICE_FREE, Long.MAX_VALUE);
    long toBeHad = Math.min(permitted, deviceFree);
    long missing = requested - usableCachedBytes() - (isUnlimited() ? 0 : toBeHad);
    if (or(Quantity.LARGEST_HOLE, 0) >= requested) {
      return OutOfMemoryVerdict.TRANSIENT;
    }
    if (isRefused || (region <= toBeHad && get(Quantity.DEVICE_FREE).isPresent())) {
      return OutOfMemoryVerdict.REFUSED;
    }
    if (missing <= 0 || isExplainedByWaste(missing)) {
      return OutOfMemoryVerdict.FRAGMENTED;
    }
    if (isUnlimited()) {
      return OutOfMemoryVerdict.UNKNOWN;
    }
    boolean isBelowDevice =
        get(Quantity.DEVICE_FREE).isPresent() && permitted < deviceFree && region <= deviceFree;
    return isBelowDevice || (isProgramLimit && permitted <= deviceFree)
        ? OutOfMemoryVerdict.LIMIT
        : OutOfMemoryVerdict.DOES_NOT_FIT;
  }

  /** {@return true if rounding and rests take enough bytes to explain that as many are missing} */
  private boolean isExplainedByWaste(long missing) {
    long waste = or(Quantity.WASTE, 0);
    return waste >= missing && waste >= or(Quantity.IN_USE, 0) / WASTE_DIVISOR;
  }

  private boolean isUnlimited() {
    return get(Quantity.DEVICE_FREE).isEmpty() && get(Quantity.LIMIT).isEmpty();
  }

  /** {@return the cached bytes within the limit, which may be lower than the reserved bytes} */
  private long usableCachedBytes() {
    long left = or(Quantity.LIMIT, Long.MAX_VALUE) - or(Quantity.IN_USE, 0);
    return Math.clamp(left, 0, or(Quantity.CACHED, 0));
  }

  /** {@return the bytes up to the limit} */
  private long permittedBytes() {
    long reserved = or(Quantity.IN_USE, 0) + or(Quantity.CACHED, 0);
    return Math.max(0, or(Quantity.LIMIT, Long.MAX_VALUE) - reserved);
  }

  /** {@return the bytes that the device has and the limit permits; empty if neither is known} */
  public OptionalLong toBeHadBytes() {
    return isUnlimited()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.min(permittedBytes(), or(Quantity.DEVICE_FREE, Long.MAX_VALUE)));
  }

  private long or(Quantity quantity, long otherwise) {
    return bytes.getOrDefault(quantity, otherwise);
  }
}
