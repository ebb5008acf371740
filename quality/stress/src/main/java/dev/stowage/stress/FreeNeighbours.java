package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads free neighbouring chunks, each of which could merge with the other. */
@JCStressTest
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "both are free")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class FreeNeighbours {

  private final ContendedAllocator allocator = ContendedAllocator.of(2);
  private final int low = allocator.take();
  private final int high = allocator.take();

  @Actor
  public void one(III_Result r) {
    r.r1 = allocator.free(low);
  }

  @Actor
  public void other(III_Result r) {
    r.r2 = allocator.free(high);
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = allocator.chunksInUse();
  }
}
