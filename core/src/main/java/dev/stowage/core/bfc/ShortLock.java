package dev.stowage.core.bfc;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A re-entrant lock for sections of some tens of nanoseconds.
 *
 * {@snippet :
 * try (ShortLock _ = lock.hold()) {
 *   // alone
 * }
 * }
 */
final class ShortLock implements AutoCloseable {

  /*
   * Where nobody else wants it, it costs one compare-and-set; releasing is a plain store. A monitor
   * costs two, and a ReentrantLock two fences.
   *
   * Where others want it, what counts is that they do not want it too often: each look at the owner
   * takes the cache line away from whoever works, and each handing over takes all lines of the
   * structures along, which is more than a section's own work. So of those who do not get it only one
   * looks: it stands at the gate, spins for some microseconds, less and less often, and then sleeps
   * for a while, in which the owner does hundreds of sections at the speed of one thread alone. All
   * others are in line behind it, first come, first served, and take no processor. A monitor hands
   * over at each section, and eight threads together are half as fast as one.
   *
   * Sleeping is parking, so that a virtual thread frees its carrier.
   */

  private static final long NOBODY = 0;

  /** How often it spins before it sleeps, each time twice as long as before. */
  private static final int SPINS = 7;

  private static final long SLEEP_NANOS = 50_000;

  /** The id of the thread that holds it; a reference would cost the collector's barriers. */
  private final AtomicLong owner = new AtomicLong(NOBODY);

  /** Held by the one that looks. */
  private final ReentrantLock gate = new ReentrantLock(true);

  /** How often more than once the owner holds it; only the owner's. */
  private int more;

  /** Waits until this thread holds the lock, and {@return the lock, which closing releases} */
  ShortLock hold() {
    long thread = Thread.currentThread().threadId();
    if (!owner.compareAndSet(NOBODY, thread)) {
      holdContended(thread);
    }
    return this;
  }

  private void holdContended(long thread) {
    if (owner.get() == thread) {
      more++;
      return;
    }
    gate.lock();
    try {
      for (int tries = 0; !tryHold(thread); tries++) {
        pause(tries % (SPINS + 1));
      }
    } finally {
      gate.unlock();
    }
  }

  private boolean tryHold(long thread) {
    return owner.get() == NOBODY && owner.compareAndSet(NOBODY, thread);
  }

  private void pause(int tries) {
    if (tries == SPINS) {
      LockSupport.parkNanos(this, SLEEP_NANOS);
      return;
    }
    for (int i = 0; i < 1 << tries; i++) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    if (more > 0) {
      more--;
    } else {
      owner.setRelease(NOBODY);
    }
  }
}
