package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A group takes and frees a kept chunk while another thread waits for all memory. */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "both have got memory")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the other thread had all memory")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class KeptChunkAndWait {

  private final KeptChunks chunks = new KeptChunks();

  @Actor
  public void takesAndFrees(III_Result r) {
    r.r1 = chunks.allocateAndEnd();
  }

  @Actor
  public void waits(III_Result r) {
    r.r2 = chunks.awaitAll();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = chunks.checkedChunksInUse();
  }
}
