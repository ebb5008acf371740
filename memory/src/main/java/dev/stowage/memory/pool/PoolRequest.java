package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcAllocator;
import java.util.Locale;
import java.util.Optional;

/**
 * A request for memory of a pool: its size, its alignment, and the budget that is charged for it.
 *
 * {@snippet :
 * PoolRequest keys = PoolRequest.of(1 << 20).withAlignment(4096).chargedTo(budget);
 * MemoryBlock block = pool.allocateOrWait(keys, Duration.ofSeconds(10));
 * }
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class PoolRequest {

  private final long bytes;
  private final long alignment;
  private final Optional<PoolBudget> budget;

  private PoolRequest(long bytes, long alignment, Optional<PoolBudget> budget) {
    this.bytes = bytes;
    this.alignment = alignment;
    this.budget = budget;
  }

  /**
   * {@return a request without a budget}
   *
   * @param bytes the size
   * @throws IllegalArgumentException if {@code bytes < 0}
   */
  public static PoolRequest of(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: bytes=" + bytes);
    }
    return new PoolRequest(bytes, 1, Optional.empty());
  }

  /**
   * {@return this request with another alignment}
   *
   * <p>Each address in a pool is a multiple of 256, or of the {@linkplain
   * dev.stowage.memory.device.Device#kernelAlignmentBytes() alignment of kernels} if this is
   * larger.
   *
   * @param newAlignment a power of two
   * @throws IllegalArgumentException if the alignment is not a power of two
   */
  public PoolRequest withAlignment(long newAlignment) {
    if (newAlignment <= 0 || Long.bitCount(newAlignment) != 1) {
      throw new IllegalArgumentException(
          "alignment must be a power of two: alignment=" + newAlignment);
    }
    return new PoolRequest(bytes, newAlignment, budget);
  }

  /**
   * {@return this request, charged to a budget}
   *
   * @param newBudget a budget of the pool that gets the request, or a child of one
   */
  public PoolRequest chargedTo(PoolBudget newBudget) {
    return new PoolRequest(bytes, alignment, Optional.of(newBudget));
  }

  /** {@return the size} */
  public long bytes() {
    return bytes;
  }

  /** {@return the alignment; 1 for none} */
  public long alignment() {
    return alignment;
  }

  /** {@return the budget that is charged} */
  public Optional<PoolBudget> budget() {
    return budget;
  }

  /** Rejects a budget of another pool. */
  static void checkBudget(Optional<PoolBudget> budget, String pool, BfcAllocator allocator) {
    if (budget.isPresent() && !budget.get().isOf(allocator)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "budget '%s' belongs to another allocator than pool '%s'; use a budget of the pool, or a child of one",
              budget.get().account().path(),
              pool));
    }
  }

  /** {@return the size, the alignment and the budget} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "PoolRequest[bytes=%d, alignment=%d, budget=%s]",
        bytes,
        alignment,
        budget.map(each -> each.account().path()).orElse("none"));
  }
}
