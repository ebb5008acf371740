package dev.stowage.allocator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread holds the lock until the other one sleeps at the gate. The other one must get the lock
 * afterwards; jcstress reports a lost wake-up as an error.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both threads had the lock")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class LockHandOver {

  private final ShortLock lock = new ShortLock();
  private volatile boolean held;
  private int owners;

  @Actor
  public void holdsForLong() {
    try (ShortLock _ = lock.hold()) {
      held = true;
      // Longer than the other thread spins before it sleeps.
      for (int i = 0; i < 500; i++) {
        Thread.onSpinWait();
      }
      owners++;
    }
  }

  @Actor
  public void waits() {
    while (!held) {
      Thread.onSpinWait();
    }
    try (ShortLock _ = lock.hold()) {
      owners++;
    }
  }

  @Arbiter
  public void after(I_Result r) {
    r.r1 = owners;
  }
}
