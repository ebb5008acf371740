package dev.stowage.stress;

import dev.stowage.memory.pool.CountedBlock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A thread releases the only reference of a counted block, to which another one adds a reference.
 */
@JCStressTest
@Outcome(id = "1, -1, -1", expect = Expect.ACCEPTABLE, desc = "the other thread was too late")
@Outcome(
    id = {"0, 1, -1", "1, 0, -1"},
    expect = Expect.ACCEPTABLE,
    desc = "one release is the last one")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class CountedRetainAndRelease {

  private final CountedBlock block = CountedMemories.allocate();

  @Actor
  public void releases(III_Result r) {
    r.r1 = CountedMemories.release(block);
  }

  @Actor
  public void retains(III_Result r) {
    try {
      r.r2 = CountedMemories.release(block.retain());
    } catch (IllegalStateException _) {
      r.r2 = CountedMemories.RELEASED;
    }
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = CountedMemories.bytes(block);
  }
}
