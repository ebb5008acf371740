package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread trims the allocator while another thread allocates. */
@JCStressTest
@Outcome(
    id = {"0, 1", "1, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "in use, in either order")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class Trim {

  private final ContendedAllocator allocator = ContendedAllocator.expandable(4);
  private final int chunk = allocator.take();

  public Trim() {
    // A free chunk at the end of the region.
    allocator.free(allocator.take());
  }

  @Actor
  public void takes(II_Result r) {
    r.r1 = allocator.take();
  }

  @Actor
  public void trims() {
    allocator.free(chunk);
    allocator.trim();
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = allocator.chunksInUse();
  }
}
