package dev.stowage.allocator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads free the same chunk into a stripe of the front cache. */
@JCStressTest
@Outcome(
    id = {"512, 0, 10", "0, 512, 10"},
    expect = Expect.ACCEPTABLE,
    desc = "one free is rejected")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class StripeFreeTwice {

  private final RacedStripe stripe = new RacedStripe();

  {
    stripe.tryTake();
  }

  @Actor
  public void one(III_Result r) {
    r.r1 = stripe.tryFree();
  }

  @Actor
  public void other(III_Result r) {
    r.r2 = stripe.tryFree();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = stripe.checkAndClear();
  }
}
