package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationListener;
import java.util.Locale;
import java.util.Optional;

/** Options for the contents of a pool's memory, and for its listener. */
public final class PoolOptions {

  private final boolean zeroing;
  private final boolean debugging;
  private final Optional<AllocationListener> listener;

  private PoolOptions(boolean zeroing, boolean debugging, Optional<AllocationListener> listener) {
    this.zeroing = zeroing;
    this.debugging = debugging;
    this.listener = listener;
  }

  /**
   * {@return options for zeroed memory, as in the JDK's arenas, without debugging and without a
   * listener}
   */
  public static PoolOptions standard() {
    return new PoolOptions(true, false, Optional.empty());
  }

  /**
   * {@return these options without zeroing of allocated memory}
   *
   * <p>Use this if the program writes memory before it reads it. Zeroing takes most of the time of
   * a large allocation. Without it, the memory contains the bytes of its previous use.
   */
  public PoolOptions withoutZeroing() {
    return new PoolOptions(false, debugging, listener);
  }

  /**
   * {@return these options with debugging}
   *
   * <p>The pool then reports writes to freed memory and writes after the end of an allocation. It
   * also reports each arena and block that becomes unreachable without being closed. Freeing memory
   * writes every byte, and reusing it reads every byte. Memory without zeroing is filled with 0xFF,
   * a NaN in all floating-point types.
   *
   * <p>At least 16 bytes after each allocation have a pattern, up to a multiple of 256. The pool
   * checks the pattern when the allocation is freed, in {@link MemoryPool#checkFreed()} and in
   * {@link MemoryPool#trim()}. A request that leaves less than 16 bytes takes 16 bytes more, also
   * in reports and recordings.
   */
  public PoolOptions withDebugging() {
    return new PoolOptions(zeroing, true, listener);
  }

  /**
   * {@return these options with a listener}
   *
   * @param newListener receives each allocation, free and failure, such as a {@code TraceRecorder}
   */
  public PoolOptions withListener(AllocationListener newListener) {
    return new PoolOptions(zeroing, debugging, Optional.of(newListener));
  }

  /** {@return true if allocated memory is zeroed} */
  public boolean isZeroing() {
    return zeroing;
  }

  /** {@return true if the pool checks freed memory and the bytes after allocations} */
  public boolean isDebugging() {
    return debugging;
  }

  /** {@return the listener} */
  public Optional<AllocationListener> listener() {
    return listener;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "PoolOptions[zeroing=%s, debugging=%s, hasListener=%s]",
        zeroing,
        debugging,
        listener.isPresent());
  }
}
