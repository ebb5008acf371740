package dev.stowage.allocator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads count under the lock, one of them with a nested section. */
@JCStressTest
@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "one thread at a time")
@Outcome(expect = Expect.FORBIDDEN, desc = "an increment is lost: two threads own the lock")
@State
public class LockExclusion {

  private final ShortLock lock = new ShortLock();
  private int count;

  @Actor
  public void one() {
    count();
  }

  @Actor
  public void nested() {
    try (ShortLock _ = lock.hold()) {
      count();
      // The first of the two releases must not unlock.
      count++;
    }
  }

  private void count() {
    try (ShortLock _ = lock.hold()) {
      count++;
    }
  }

  @Arbiter
  public void after(I_Result r) {
    r.r1 = count;
  }
}
