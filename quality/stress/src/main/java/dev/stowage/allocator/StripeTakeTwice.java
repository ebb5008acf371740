package dev.stowage.allocator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads take the only free chunk of a stripe of the front cache. */
@JCStressTest
@Outcome(
    id = {"512, 0, 1", "0, 512, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "one thread has the chunk")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class StripeTakeTwice {

  private final RacedStripe stripe = new RacedStripe();

  @Actor
  public void one(III_Result r) {
    r.r1 = stripe.tryTake();
  }

  @Actor
  public void other(III_Result r) {
    r.r2 = stripe.tryTake();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = stripe.checkAndClear();
  }
}
