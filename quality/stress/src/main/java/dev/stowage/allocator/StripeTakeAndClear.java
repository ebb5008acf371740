package dev.stowage.allocator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread takes a chunk of a stripe of the front cache, which another thread clears. */
@JCStressTest
@Outcome(
    id = "512, 1, 0",
    expect = Expect.ACCEPTABLE,
    desc = "the chunk returns to the space in use")
@Outcome(id = "0, 10, 0", expect = Expect.ACCEPTABLE, desc = "the chunk returns to the space free")
@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
@State
public class StripeTakeAndClear {

  private final RacedStripe stripe = new RacedStripe();

  @Actor
  public void takes(III_Result r) {
    r.r1 = stripe.tryTake();
  }

  @Actor
  public void clears(III_Result r) {
    r.r2 = stripe.clear();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = stripe.checkAndClear();
  }
}
