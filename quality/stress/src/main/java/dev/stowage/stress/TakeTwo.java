package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads request a chunk each, and there are two. */
@JCStressTest
@Outcome(
    id = {"0, 1, 2", "1, 0, 2"},
    expect = Expect.ACCEPTABLE,
    desc = "each thread has its own chunk")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class TakeTwo {

  private final ContendedAllocator allocator = ContendedAllocator.of(2);

  @Actor
  public void one(III_Result r) {
    r.r1 = allocator.take();
  }

  @Actor
  public void other(III_Result r) {
    r.r2 = allocator.take();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = allocator.chunksInUse();
  }
}
