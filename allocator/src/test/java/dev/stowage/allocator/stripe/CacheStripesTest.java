package dev.stowage.allocator.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CacheStripesTest {

  private final CacheStripes stripes = CacheStripes.of(() -> new CacheStripe(""));

  @Test
  void holdFree_againInOneThread_takesTheSameStripe() {
    int first = stripes.holdFree();
    stripes.get(first).close();
    assertThat(stripes.holdFree()).isEqualTo(first).isEqualTo(stripes.ofThread());
  }

  @Test
  void holdFree_stripeIsLocked_takesAnotherOneThenAndLater() {
    int locked = stripes.holdFree();
    int other = stripes.holdFree();
    assertThat(other).isNotEqualTo(locked);
    stripes.get(other).close();
    stripes.get(locked).close();
    assertThat(stripes.holdFree()).isEqualTo(other).isEqualTo(stripes.ofThread());
  }
}
