package dev.stowage.stress;

import dev.stowage.memory.pool.CountedBlock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread releases a counted block, and another one gets its segment. */
@JCStressTest
@Outcome(
    id = "1, 64, -1",
    expect = Expect.ACCEPTABLE,
    desc = "the segment was there before the release")
@Outcome(id = "1, -1, -1", expect = Expect.ACCEPTABLE, desc = "the access was too late")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class CountedReleaseAndAccess {

  private final CountedBlock block = CountedMemories.allocate();

  @Actor
  public void releases(III_Result r) {
    r.r1 = CountedMemories.release(block);
  }

  @Actor
  public void accesses(III_Result r) {
    r.r2 = CountedMemories.bytes(block);
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = CountedMemories.bytes(block);
  }
}
