package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationListener;
import java.util.Locale;
import java.util.Optional;

/** Options for the checks of a {@link DevicePool}, and for its listener. */
public final class DevicePoolOptions {

  private final boolean debugging;
  private final Optional<AllocationListener> listener;

  private DevicePoolOptions(boolean debugging, Optional<AllocationListener> listener) {
    this.debugging = debugging;
    this.listener = listener;
  }

  /** {@return the options without debugging and a listener} */
  public static DevicePoolOptions standard() {
    return new DevicePoolOptions(false, Optional.empty());
  }

  /**
   * {@return these options with debugging}
   *
   * <p>The pool then reports writes after the end of an allocation. At least 16 bytes there have a
   * pattern, up to a multiple of 256, and the pool checks it when the memory is free: in {@link
   * DevicePool#free}, or after the queued work has completed. {@link DevicePool#checkSlack()}
   * checks the memory in use. A request that leaves less than 16 bytes takes 16 bytes more, also in
   * reports and recordings.
   *
   * <p>Since the host may be unable to access the memory, each allocation costs a fill by the
   * device, and each free a copy to the host, of at most 271 bytes. Streams reuse memory only after
   * its queued work has completed. Writes to freed memory, and before the start of an allocation,
   * are found only if they change such a pattern.
   */
  public DevicePoolOptions withDebugging() {
    return new DevicePoolOptions(true, listener);
  }

  /**
   * {@return these options with a listener}
   *
   * <p>The listener gets a free after the queued work has completed. If the stream reuses the chunk
   * earlier, the listener gets a free and an allocation.
   *
   * @param newListener the listener, such as a {@code TraceRecorder}
   */
  public DevicePoolOptions withListener(AllocationListener newListener) {
    return new DevicePoolOptions(debugging, Optional.of(newListener));
  }

  /** {@return true if the pool checks the bytes after allocations} */
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
        "DevicePoolOptions[debugging=%s, hasListener=%s]",
        debugging,
        listener.isPresent());
  }
}
