package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread frees a chunk and closes the allocator while another thread waits. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "served before")
@Outcome(id = "-2, 0", expect = Expect.ACCEPTABLE, desc = "closed before")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class WaitUntilClosed {

  private final ContendedAllocator allocator = ContendedAllocator.of(2);
  private final int chunk = allocator.take();
  private final int kept = allocator.take();

  @Actor
  public void waits(II_Result r) {
    r.r1 = allocator.take(ContendedAllocator.FOREVER);
  }

  @Actor
  public void freesAndCloses() {
    allocator.free(chunk);
    allocator.close();
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = allocator.free(kept) == ContendedAllocator.REFUSED ? 0 : ContendedAllocator.BROKEN;
  }
}
