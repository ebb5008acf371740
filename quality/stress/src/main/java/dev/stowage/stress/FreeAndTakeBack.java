package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread frees a chunk that another thread requests, and requests it again. */
@JCStressTest
@Outcome(
    id = {"0, -1, 1", "-1, 0, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "one has it")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class FreeAndTakeBack {

  private final ContendedAllocator allocator = ContendedAllocator.of(1);
  private final int chunk = allocator.take();

  @Actor
  public void freesAndTakes(III_Result r) {
    allocator.free(chunk);
    r.r1 = allocator.take();
  }

  @Actor
  public void takes(III_Result r) {
    r.r2 = allocator.take();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = allocator.chunksInUse();
  }
}
