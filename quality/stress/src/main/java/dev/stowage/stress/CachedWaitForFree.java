package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread waits for all chunks, while another thread takes and frees one in its part of the front
 * cache.
 */
@JCStressTest
@Outcome(
    id = "0, 2",
    expect = Expect.ACCEPTABLE,
    desc = "served: no free stays in the cache between a failed try and the wait after it")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class CachedWaitForFree {

  private final ContendedAllocator allocator = ContendedAllocator.cached(2);

  @Actor
  public void waits(II_Result r) {
    r.r1 = allocator.take(2, ContendedAllocator.FOREVER);
  }

  @Actor
  public void frees() {
    for (int i = 0; i < 3; i++) {
      int chunk = allocator.take();
      if (chunk != ContendedAllocator.NONE) {
        allocator.free(chunk);
      }
    }
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = allocator.chunksInUse();
  }
}
