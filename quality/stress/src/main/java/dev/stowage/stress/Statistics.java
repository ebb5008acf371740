package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A thread reads the statistics while another thread allocates and frees. */
@JCStressTest
@Outcome(id = "true, 0", expect = Expect.ACCEPTABLE, desc = "the statistics are consistent")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class Statistics {

  private final ContendedAllocator allocator = ContendedAllocator.expandable(4);

  @Actor
  public void takesAndFrees() {
    int first = allocator.take();
    int second = allocator.take();
    allocator.free(first);
    allocator.free(second);
    allocator.trim();
  }

  @Actor
  public void reads(ZI_Result r) {
    r.r1 = allocator.isConsistent();
  }

  @Arbiter
  public void after(ZI_Result r) {
    r.r2 = allocator.chunksInUse();
  }
}
