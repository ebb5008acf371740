package dev.stowage.core.bfc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
   * Without contention, hold() is one compare-and-set and close() a plain store. A monitor needs two
   * compare-and-sets, a ReentrantLock two fences.
   *
   * With contention, handing the lock over is the cost to avoid: each look at the owner takes the
   * cache line away from the thread that works, and each hand-over moves all lines of the guarded
   * structures to another core, which takes longer than a section. So only one of the waiting threads
   * looks. It holds the gate, spins for some microseconds, less and less often, then sleeps while the
   * owner does hundreds of sections at the speed of one thread alone. The other threads queue for the
   * gate, first come, first served, and use no processor. A monitor hands over at each section; eight
   * threads together are then half as fast as one.
   *
   *   running              at the gate                       in the gate's queue
   *   hold, close, hold    owner? spin, owner? ... sleep     parked, parked, parked
   *
   * Hazards, and why they do no harm:
   *
   *   H1  A release store is enough to unlock. The compare-and-set of the next owner reads the value
   *       that close() stored, so that all writes before close() happen before all reads after that
   *       hold(). The store may take effect later than loads that follow it in the program. That
   *       matters only to a lock whose unlock looks for sleeping threads after its store (Dekker's
   *       pattern). close() looks for none.
   *   H2  No wake-up can be lost, as there is none. The thread at the gate sleeps for a limited time
   *       and looks again by itself; the queue behind it is a ReentrantLock's, which wakes its next
   *       thread when the gate opens. So a release goes unnoticed for the length of one sleep and of
   *       the scheduler's delay, and no longer.
   *   H3  Barging: a thread that finds the lock free takes it before all waiting threads. One that finds it
   *       taken queues, once, so that soon at most one thread still barges, the one that runs. The
   *       thread at the gate looks eight times in each round of spinning and sleeping. It loses only
   *       if a section is running at each look, so that the chance to wait on falls exponentially
   *       with the rounds. There is no upper bound: an owner that leaves no time between its sections
   *       can hold up the others. The allocator's callers have to do something with their memory.
   *   H4  A hand-over costs up to one sleep (50 microseconds and the scheduler's delay) after the
   *       last section of the owner, or some spins if it comes early, and the misses for the guarded
   *       lines. It happens about once in a sleep, not once in a section.
   *   H5  A long section, such as a call of a device, makes the thread at the gate look every 50
   *       microseconds. One thread at most does so.
   *   H6  The status "interrupted" makes parkNanos() return at once, so that the sleep would become
   *       part of the spin. The thread at the gate clears the status while it waits and sets it again
   *       when it has the lock. hold() is not interruptible. The gate's queue does the same.
   *   H7  A permit left by an unpark() of other code shortens one sleep.
   *   H8  Re-entry reads `owner` without the lock. Only a thread itself writes its own id, and only
   *       while it holds the lock, so that a thread never reads its own id by mistake, however old
   *       the value is. Ids of threads are not used again. `more` belongs to the owner.
   *   H9  A virtual thread that sleeps or queues frees its carrier. One that is unmounted while it
   *       owns the lock holds up the others; sections do not block, but for calls of foreign code.
   */

  private static final long NOBODY = 0;

  /** How often it spins before it sleeps, each time twice as long as before. */
  private static final int SPINS = 7;

  private static final long SLEEP_NANOS = 50_000;

  private static final VarHandle OWNER = owner();

  /** The id of the thread that holds the lock. A reference would cost the collector's barriers. */
  private volatile long owner = NOBODY;

  /** Held by the one that looks. */
  private final ReentrantLock gate = new ReentrantLock(true);

  /** How often more than once the owner holds it; only the owner's. */
  private int more;

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
    if (!OWNER.compareAndSet(this, NOBODY, thread)) {
      holdContended(thread);
    }
    return this;
  }

  private void holdContended(long thread) {
    if (owner == thread) {
      more++;
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
    return owner == NOBODY && OWNER.compareAndSet(this, NOBODY, thread);
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
    if (more > 0) {
      more--;
    } else {
      OWNER.setRelease(this, NOBODY);
    }
  }
}
