package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads request the last chunk. */
@JCStressTest
@Outcome(
    id = {"0, -1, 1", "-1, 0, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "one has it")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class TakeLast {

  private final ContendedAllocator allocator = ContendedAllocator.of(1);

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
