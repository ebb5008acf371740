package dev.stowage.onnxruntime;

import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MemoryRefusedException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The charge of one run, which other runs cannot use until the permit is closed.
 *
 * <p>Close results before their permit. Safe for use by many threads.
 */
public final class RunPermit implements AutoCloseable {

  private final EngineMemory memory;
  private final MemoryAccount.Charge charge;
  private final AtomicBoolean closed = new AtomicBoolean();

  RunPermit(EngineMemory memory, MemoryAccount.Charge charge) {
    this.memory = memory;
    this.charge = charge;
  }

  /** {@return the charged bytes; 0 after {@link #close()}} */
  public long bytes() {
    return charge.bytes();
  }

  /**
   * Changes the charged bytes, for example to the bytes of the results before a slow client reads
   * them.
   *
   * @param bytes the number of bytes
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the permit is closed
   * @throws MemoryRefusedException if a limit is exceeded; nothing changes
   */
  public void resize(long bytes) {
    charge.resize(bytes);
  }

  /**
   * Ends the run and serves charges that wait; has no effect if it has ended.
   *
   * <p>Any thread can close a permit. A permit that is never closed keeps its bytes. If the system
   * does not take back memory in a trim, {@link OnnxRuntimeAllocator#check} throws the failure.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      charge.close();
      memory.endRun();
    }
  }
}
