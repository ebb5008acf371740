package dev.stowage.allocator;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A thread is interrupted while it waits for the lock. It gets the lock and stays interrupted. */
@JCStressTest
@Outcome(id = "true, 2", expect = Expect.ACCEPTABLE, desc = "interrupted, and both had the lock")
@Outcome(expect = Expect.FORBIDDEN, desc = "the interrupt or an increment is lost")
@State
public class LockInterrupted {

  private final ShortLock lock = new ShortLock();
  private final AtomicReference<Optional<Thread>> waiter = new AtomicReference<>(Optional.empty());
  private volatile boolean interrupted;
  private int owners;

  @Actor
  public void waits(ZI_Result r) {
    waiter.set(Optional.of(Thread.currentThread()));
    try (ShortLock _ = lock.hold()) {
      owners++;
    }
    while (!interrupted) {
      Thread.onSpinWait();
    }
    // This also clears the status for the next iteration.
    r.r1 = Thread.interrupted();
  }

  @Actor
  public void holdsAndInterrupts() {
    try (ShortLock _ = lock.hold()) {
      while (waiter.get().isEmpty()) {
        Thread.onSpinWait();
      }
      waiter.get().get().interrupt();
      owners++;
    }
    interrupted = true;
  }

  @Arbiter
  public void after(ZI_Result r) {
    r.r2 = owners;
  }
}
