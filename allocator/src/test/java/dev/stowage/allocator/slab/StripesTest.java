package dev.stowage.allocator.slab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StripesTest {

  private final Stripes stripes = new Stripes(2, new AtomicInteger());

  @Test
  void holdFree_againInOneThread_takesTheSameStripe() {
    Stripe first = stripes.holdFree();
    first.release();
    assertThat(stripes.holdFree()).isSameAs(first);
  }

  @Test
  void holdFree_stripeIsLocked_takesAnotherOneThenAndLater() {
    Stripe locked = stripes.holdFree();
    Stripe other = stripes.holdFree();
    assertThat(other).isNotSameAs(locked);
    other.release();
    locked.release();
    assertThat(stripes.holdFree()).isSameAs(other);
  }
}
