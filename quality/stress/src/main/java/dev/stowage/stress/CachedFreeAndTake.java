package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread frees a chunk into its part of the front cache, and another thread requests it. */
@JCStressTest
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "the other thread has the chunk")
@Outcome(id = "0, -1, 0", expect = Expect.ACCEPTABLE, desc = "the request was too early")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class CachedFreeAndTake {

  private final ContendedAllocator allocator = ContendedAllocator.cached(1);
  private final int chunk = allocator.takeCached();

  @Actor
  public void frees(III_Result r) {
    r.r1 = allocator.free(chunk);
  }

  @Actor
  public void takes(III_Result r) {
    r.r2 = allocator.take();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = allocator.chunksInUse();
  }
}
