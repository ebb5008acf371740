package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread waits for the chunk that another thread frees. */
@JCStressTest
@Outcome(
    id = "0, 1",
    expect = Expect.ACCEPTABLE,
    desc = "served: no free is lost between a failed try and the wait after it")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class WaitForFree {

  private final ContendedAllocator allocator = ContendedAllocator.of(1);
  private final int chunk = allocator.take();

  @Actor
  public void waits(II_Result r) {
    r.r1 = allocator.take(ContendedAllocator.FOREVER);
  }

  @Actor
  public void frees() {
    allocator.free(chunk);
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = allocator.chunksInUse();
  }
}
