package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread frees the chunk that another thread requests. */
@JCStressTest
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "the other thread has the chunk")
@Outcome(id = "0, -1, 0", expect = Expect.ACCEPTABLE, desc = "the request was too early")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class FreeAndTake {

  private final ContendedAllocator allocator = ContendedAllocator.of(1);
  private final int chunk = allocator.take();

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
