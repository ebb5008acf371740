package dev.stowage.stress;

import dev.stowage.memory.pool.CountedBlock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads release the two references of a counted block. */
@JCStressTest
@Outcome(
    id = {"0, 1, -1", "1, 0, -1"},
    expect = Expect.ACCEPTABLE,
    desc = "one release is the last one, and frees the memory")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class CountedReleaseTwice {

  private final CountedBlock block = CountedMemories.allocate().retain();

  @Actor
  public void one(III_Result r) {
    r.r1 = CountedMemories.release(block);
  }

  @Actor
  public void other(III_Result r) {
    r.r2 = CountedMemories.release(block);
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = CountedMemories.bytes(block);
  }
}
