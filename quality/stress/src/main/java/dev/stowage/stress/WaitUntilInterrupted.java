package dev.stowage.stress;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A request is interrupted while another thread frees. */
@JCStressTest
@Outcome(
    id = "0, 1",
    expect = Expect.ACCEPTABLE,
    desc = "served, whether or not the thread is interrupted then")
@Outcome(id = "-3, 0", expect = Expect.ACCEPTABLE, desc = "interrupted, and nothing taken")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class WaitUntilInterrupted {

  private final ContendedAllocator allocator = ContendedAllocator.of(1);
  private final int chunk = allocator.take();
  private final AtomicReference<Optional<Thread>> waiter = new AtomicReference<>(Optional.empty());
  private volatile boolean interrupted;

  @Actor
  public void waits(II_Result r) {
    waiter.set(Optional.of(Thread.currentThread()));
    r.r1 = allocator.take(ContendedAllocator.FOREVER);
    // The interrupt must not affect the next iteration of the thread.
    while (!interrupted) {
      Thread.onSpinWait();
    }
    Thread.interrupted();
  }

  @Actor
  public void interruptsAndFrees() {
    while (waiter.get().isEmpty()) {
      Thread.onSpinWait();
    }
    waiter.get().get().interrupt();
    interrupted = true;
    allocator.free(chunk);
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = allocator.chunksInUse();
  }
}
