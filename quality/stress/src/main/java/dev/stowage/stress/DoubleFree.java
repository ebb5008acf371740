package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads free the same chunk. */
@JCStressTest
@Outcome(
    id = {"0, -2, 1", "-2, 0, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "one free is rejected, and the other chunk is still in use")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class DoubleFree {

  private final ContendedAllocator allocator = ContendedAllocator.of(3);
  private final int chunk = allocator.take();
  private final int kept = allocator.take();

  @Actor
  public void one(III_Result r) {
    r.r1 = allocator.free(chunk);
  }

  @Actor
  public void other(III_Result r) {
    r.r2 = allocator.free(chunk);
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = allocator.chunksInUse() == 1 && allocator.free(kept) == kept ? 1 : -9;
  }
}
