package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.SubAllocator;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Memory is zeroed from its second use on, and again if the system may have kept its contents. */
class FreshMemoryTest {

  private final Regions regions = new Regions();
  private final FreshMemory fresh = new FreshMemory(regions);

  /** Regions of 1,000 bytes at multiples of 10,000. */
  private static final class Regions implements SubAllocator {

    private long next = 10_000;
    private boolean zeroed = true;

    @Override
    public OptionalLong allocate(long bytes) {
      long address = next;
      next += 10_000;
      return OptionalLong.of(address);
    }

    @Override
    public void free(long address, long bytes) {}

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      return true;
    }

    @Override
    public boolean isZeroed() {
      return zeroed;
    }
  }

  @Test
  void use_firstAndSecondTime_isFreshAndUsed() {
    fresh.allocate(1000);
    fresh.allocate(1000);
    assertThat(fresh.use(10_000, 100)).isZero();
    assertThat(fresh.use(10_000, 100)).isEqualTo(100);
    assertThat(fresh.use(20_900, 100)).isZero();
    assertThat(fresh.use(10_050, 100)).isEqualTo(50);
    assertThat(fresh.use(10_200, 100)).isZero();
    // All bytes below the highest address count as used.
    assertThat(fresh.use(10_160, 10)).isEqualTo(10);
    assertThat(fresh.use(20_000, 1000)).isEqualTo(1000);
  }

  @Test
  void resize_shorterAndLonger_isFreshAgain() {
    fresh.allocate(1000);
    assertThat(fresh.use(10_000, 1000)).isZero();
    assertThat(fresh.resize(10_000, 1000, 400)).isTrue();
    assertThat(fresh.resize(10_000, 400, 1000)).isTrue();
    assertThat(fresh.use(10_300, 200)).isEqualTo(100);
  }

  @Test
  void resize_systemKeepsPages_isNotFresh() {
    fresh.allocate(1000);
    assertThat(fresh.use(10_000, 1000)).isZero();
    assertThat(fresh.resize(10_000, 1000, 400)).isTrue();
    regions.zeroed = false;
    assertThat(fresh.resize(10_000, 400, 1000)).isTrue();
    assertThat(fresh.use(10_600, 200)).isEqualTo(200);
    fresh.allocate(1000);
    assertThat(fresh.use(20_600, 200)).isEqualTo(200);
  }

  @Test
  void free_andNewRegion_isFresh() {
    fresh.allocate(1000);
    fresh.use(10_000, 1000);
    regions.next = 10_000;
    fresh.free(10_000, 1000);
    fresh.allocate(1000);
    assertThat(fresh.use(10_000, 1000)).isZero();
  }

  /** With a list of regions, each of these steps took as long as all regions. */
  @Test
  void use_inManyRegions_findsEach() {
    int count = 50_000;
    for (int i = 0; i < count; i++) {
      fresh.allocate(1000);
    }
    for (long used : new long[] {0, 1000}) {
      for (int i = count; i > 0; i--) {
        assertThat(fresh.use(10_000L * i, 1000)).isEqualTo(used);
      }
    }
    for (int i = 1; i <= count; i++) {
      fresh.free(10_000L * i, 1000);
    }
  }
}
