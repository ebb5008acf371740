package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads take turns with one chunk. */
@JCStressTest
@Outcome(
    id = "0, 0, 0",
    expect = Expect.ACCEPTABLE,
    desc = "each thread had the chunk and freed it")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class WaitForEachOther {

  private final ContendedAllocator allocator = ContendedAllocator.of(1);

  @Actor
  public void one(III_Result r) {
    r.r1 = allocator.free(allocator.take(ContendedAllocator.FOREVER));
  }

  @Actor
  public void other(III_Result r) {
    r.r2 = allocator.free(allocator.take(ContendedAllocator.FOREVER));
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = allocator.chunksInUse();
  }
}
