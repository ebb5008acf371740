package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of a family, counted as calls of its members, do not grow with their number. */
class PoolFamilyTest {

  /** All calls of members. */
  private int calls;

  /** A member that counts calls. */
  private final class Counted implements PoolFamily.Member {

    private final PoolFamily family;
    private boolean isWaiting;
    private int served;
    private boolean hasEnded;

    Counted(Optional<PoolFamily.Member> above) {
      family = new PoolFamily(above);
    }

    @Override
    public PoolFamily family() {
      return family;
    }

    @Override
    public long limitBytes() {
      calls++;
      return Long.MAX_VALUE;
    }

    @Override
    public long heldBytes() {
      calls++;
      return family.poolBytes();
    }

    @Override
    public long availableBytes() {
      calls++;
      return Long.MAX_VALUE;
    }

    @Override
    public boolean hasEnded() {
      calls++;
      return hasEnded;
    }

    @Override
    public boolean trimForPool() {
      calls++;
      return false;
    }

    @Override
    public boolean isWaiting() {
      calls++;
      return isWaiting;
    }

    @Override
    public void serveOwn() {
      calls++;
      served++;
    }

    @Override
    public void dismissHopeless() {
      calls++;
    }

    @Override
    public void close() {}

    @Override
    public void closeWhenFree() {}
  }

  private List<Counted> addPools(Counted root, int count) {
    List<Counted> pools = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pools.add(new Counted(Optional.of(root)));
      root.family().add(pools.getLast());
    }
    return pools;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 50_000})
  void anyOperation_manyPools_takesFewSteps(int count) {
    Counted root = new Counted(Optional.empty());
    List<Counted> pools = addPools(root, count);
    Counted pool = pools.get(count / 2);
    assertThat(calls).isZero();
    pool.family().noteHeld(256);
    assertThat(root.family().poolBytes()).isEqualTo(256);
    assertThat(pool.family().isAnyWaiting()).isFalse();
    pool.family().serve(pool);
    root.family().serve(root);
    assertThat(calls).isLessThan(10);
    pools.getFirst().isWaiting = true;
    root.family().noteWaiting(pools.getFirst());
    assertThat(pool.family().isAnyWaiting()).isTrue();
    root.family().serve(root);
    assertThat(pools.getFirst().served).isPositive();
    pool.hasEnded = true;
    pool.family().serve(pool);
    assertThat(calls).isLessThan(30);
    assertThat(root.family().pools()).hasSize(count - 1);
  }
}
