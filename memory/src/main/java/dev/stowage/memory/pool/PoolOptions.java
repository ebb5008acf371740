package dev.stowage.memory.pool;

import dev.stowage.core.bfc.AllocationListener;
import java.util.Optional;

/**
 * What a pool does to the bytes that it gives and takes, and who hears of it.
 *
 * @param zeroing whether memory is zero when it is handed out, as the JDK's arenas give it
 * @param debugging whether freed memory is filled with a pattern and looked at later, and what is
 *     handed out and not zeroed is filled with another one: 0xFF, which is no number in any
 *     floating-point type
 * @param listener who hears of each request and free, such as a {@link
 *     dev.stowage.core.trace.TraceRecorder}
 */
public record PoolOptions(
    boolean zeroing, boolean debugging, Optional<AllocationListener> listener) {

  /** {@return zeroed memory, as from the JDK's arenas, without debugging} */
  public static PoolOptions standard() {
    return new PoolOptions(true, false, Optional.empty());
  }

  /**
   * {@return these options, handing out memory as it is}
   *
   * <p>For memory that is written before it is read: zeroing is most of what a large allocation
   * costs. What was in it may be seen.
   */
  public PoolOptions withoutZeroing() {
    return new PoolOptions(false, debugging, listener);
  }

  /**
   * {@return these options, looking for writes to freed memory and reporting each arena and block
   * that is forgotten}
   *
   * <p>To free costs a write of every byte then, to reuse a read.
   */
  public PoolOptions withDebugging() {
    return new PoolOptions(zeroing, true, listener);
  }

  /**
   * {@return these options with a listener}
   *
   * @param newListener who hears of each request and free
   */
  public PoolOptions withListener(AllocationListener newListener) {
    return new PoolOptions(zeroing, debugging, Optional.of(newListener));
  }
}
