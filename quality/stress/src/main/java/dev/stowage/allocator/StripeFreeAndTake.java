package dev.stowage.allocator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread frees a chunk into a stripe of the front cache, and another thread takes it. */
@JCStressTest
@Outcome(id = "512, 512, 1", expect = Expect.ACCEPTABLE, desc = "the other thread has the chunk")
@Outcome(id = "512, 0, 10", expect = Expect.ACCEPTABLE, desc = "the request was too early")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "the request had the lock")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class StripeFreeAndTake {

  private final RacedStripe stripe = new RacedStripe();

  {
    stripe.tryTake();
  }

  @Actor
  public void frees(III_Result r) {
    r.r1 = stripe.tryFree();
  }

  @Actor
  public void takes(III_Result r) {
    r.r2 = stripe.tryTake();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = stripe.checkAndClear();
  }
}
