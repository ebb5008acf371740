package dev.stowage.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A request for two chunks times out; a request for one chunk may be queued behind it. */
@JCStressTest
@Outcome(id = "-1, 1, 2", expect = Expect.ACCEPTABLE, desc = "the other request is granted")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class WaitBehindLarger {

  private final ContendedAllocator allocator = ContendedAllocator.of(2);
  private final int kept = allocator.take();

  @Actor
  public void givesUp(III_Result r) {
    r.r1 = allocator.take(2, ContendedAllocator.SHORT);
  }

  @Actor
  public void waits(III_Result r) {
    r.r2 = allocator.take(ContendedAllocator.FOREVER);
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = allocator.chunksInUse() + kept;
  }
}
