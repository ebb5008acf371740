package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A group takes and frees a kept chunk while another thread reads the statistics. */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "before or after the group")
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "while the group has the chunk")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class KeptChunkAndReport {

  private final KeptChunks chunks = new KeptChunks();

  @Actor
  public void takesAndFrees(III_Result r) {
    r.r1 = chunks.allocateAndEnd();
  }

  @Actor
  public void reads(III_Result r) {
    r.r2 = chunks.chunksInUse();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = chunks.checkedChunksInUse();
  }
}
