package dev.stowage.allocator;

import dev.stowage.allocator.stripe.CacheLinePadding;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A re-entrant lock for sections of some tens of nanoseconds.
 *
 * {@snippet :
 * try (ShortLock _ = lock.hold()) {
 *   // exclusive access
 * }
 * }
 */
final class ShortLock extends CacheLinePadding implements AutoCloseable {

  /*
   * Without contention, hold() is one compare-and-set and close() a plain store. A monitor needs two
   * compare-and-sets, a ReentrantLock two fences.
   *
   * With contention, changing the owner is the main cost. Each read of `owner` takes the cache line
   * away from the owner, and each change moves all lines of the guarded structures to another core,
   * which takes longer than a section. So only the thread that holds the gate reads `owner`. It spins
   * for some microseconds, less and less often, then sleeps, while the owner runs hundreds of sections
   * at the speed of one thread alone. The others queue behind the gate, first in, first out, and use
   * no processor. A monitor changes its owner at each section; eight threads together are then half as
   * fast as one.
   *
   *   running              at the gate                       in the queue of the gate
   *   hold, close, hold    owner? spin, owner? ... sleep     parked, parked, parked
   *
   * Hazards, and the reasons why they are harmless:
   *
   *   H1  A release store is enough to unlock. The compare-and-set of the next owner reads the value
   *       that close() stored. Therefore all writes before close() happen before all reads after
   *       that hold(). The store may take effect later than loads that follow it in the program.
   *       That matters only to a lock that looks for sleeping threads after its store (Dekker's
   *       pattern). close() does not.
   *   H2  No wake-up can be lost, because there is none. The thread at the gate sleeps for a limited
   *       time and reads `owner` again. The queue behind it belongs to a ReentrantLock, which wakes its
   *       next thread when the gate opens. So a release stays unnoticed for one sleep and the delay of
   *       the scheduler at most.
   *   H3  A thread that finds the lock free takes it before all waiting threads. A thread that finds it
   *       taken queues, so that soon only the running thread still overtakes. The thread at the
   *       gate reads `owner` eight times in each round of spinning and sleeping. It misses the lock
   *       only if a section runs at each read. The probability of a longer wait therefore falls
   *       exponentially with the rounds. There is no upper bound: an owner that leaves no time
   *       between its sections can hold up the others. Callers of the allocator use their memory
   *       between two calls.
   *   H4  A change of owner costs the cache misses for the guarded lines. Before it, the lock is
   *       unused for up to one sleep (50 microseconds and the delay of the scheduler), or for some
   *       spins if the change comes early. It happens about once in a sleep, not once in a section.
   *   H5  During a long section, such as a call of a device, one thread reads `owner` every 50
   *       microseconds.
   *   H6  An interrupted thread returns from parkNanos() at once, so that its sleep would become part
   *       of the spin. The thread at the gate clears the status while it waits and sets it again when
   *       it has the lock. hold() is not interruptible. The queue of the gate does the same.
   *   H7  A permit left by an unpark() of other code shortens one sleep.
   *   H8  Re-entry reads `owner` without the lock. Only the thread itself writes its id, and only while
   *       it holds the lock. It therefore never reads its own id by mistake, also if the value is
   *       old. Ids of threads are not reused. `reentries` belongs to the owner.
   *   H9  A virtual thread that sleeps or queues frees its carrier. If it is unmounted while it owns the
   *       lock, the others wait. Sections do not block, except in calls of foreign code.
   */

  private static final long NO_THREAD = 0;

  /** The number of spins before a sleep, each twice as long as the one before. */
  private static final int SPINS = 7;

  private static final long SLEEP_NANOS = 50_000;

  private static final VarHandle OWNER = owner();

  /** The id of the thread that holds the lock. A reference would cost the collector's barriers. */
  private volatile long owner = NO_THREAD;

  /** The holder of the gate reads {@code owner}. */
  private final ReentrantLock gate = new ReentrantLock(true);

  /** The number of holds of the owner after the first one; only the owner uses it. */
  private int reentries;

  private static VarHandle owner() {
    try {
      return MethodHandles.lookup().findVarHandle(ShortLock.class, "owner", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Waits until this thread holds the lock, and {@return the lock, which closing releases} */
  ShortLock hold() {
    long thread = Thread.currentThread().threadId();
    if (!OWNER.compareAndSet(this, NO_THREAD, thread)) {
      holdContended(thread);
    }
    return this;
  }

  /**
   * Takes the lock if no thread holds it, not even this one, and {@return true if it was free}; the
   * caller then closes the lock.
   */
  boolean tryHold() {
    return OWNER.compareAndSet(this, NO_THREAD, Thread.currentThread().threadId());
  }

  /** {@return true if this thread holds the lock} */
  boolean isHeld() {
    return owner == Thread.currentThread().threadId();
  }

  private void holdContended(long thread) {
    if (owner == thread) {
      reentries++;
      return;
    }
    boolean interrupted = false;
    gate.lock();
    try {
      for (int tries = 0; !tryHold(thread); tries++) {
        interrupted |= pause(tries % (SPINS + 1));
      }
    } finally {
      gate.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean tryHold(long thread) {
    return owner == NO_THREAD && OWNER.compareAndSet(this, NO_THREAD, thread);
  }

  /** Spins or sleeps, and {@return true if the thread was interrupted}, which is cleared. */
  private boolean pause(int tries) {
    if (tries == SPINS) {
      boolean interrupted = Thread.interrupted();
      LockSupport.parkNanos(this, SLEEP_NANOS);
      return interrupted;
    }
    for (int i = 0; i < 1 << tries; i++) {
      Thread.onSpinWait();
    }
    return false;
  }

  @Override
  public void close() {
    if (reentries > 0) {
      reentries--;
    } else {
      OWNER.setRelease(this, NO_THREAD);
    }
  }
}
