package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Expandable options on devices whose regions cannot grow. */
class BfcAllocatorFixedRegionsTest {

  private static final long MIB = 1 << 20;

  private static void allocateMany(BfcAllocator holder) {
    for (int i = 0; i < 8000; i++) {
      holder.allocate(1000);
    }
    holder.internals().checkInvariants();
  }

  @Test
  void allocate_deviceSaysThatItCannotResize_regionsDouble() {
    ScriptedRegions fixed = ScriptedRegions.ascending().fixed();
    allocateMany(new BfcAllocator("gpu", fixed, BfcOptions.expandable()));
    assertThat(fixed.calls())
        .containsExactly("give 1048576", "give 2097152", "give 4194304", "give 8388608");
  }

  @Test
  void allocate_deviceCannotResize_regionsDoubleAfterTheFirstRefusal() {
    ScriptedRegions fixed = ScriptedRegions.ascending();
    BfcAllocator regions = new BfcAllocator("gpu", fixed, BfcOptions.expandable());
    allocateMany(regions);
    assertThat(fixed.calls())
        .containsExactly(
            "give 1024",
            "keep 1024 2048",
            "give 1024",
            "give 1048576",
            "give 2097152",
            "give 4194304",
            "give 8388608");
  }

  @Test
  void allocate_fixedRegionsOfALimit_permitARequestUpToTheLastByte() {
    ScriptedRegions fixed = ScriptedRegions.ascending().fixed();
    BfcAllocator limited =
        new BfcAllocator("gpu", fixed, BfcOptions.expandable().withLimit(MIB + 1024));
    limited.allocate(MIB);
    limited.allocate(1024);
    assertThat(fixed.calls()).containsExactly("give 1048576", "give 1024");
    assertThat(limited.tryAllocate(1, 256)).isEmpty();
  }

  @Test
  void allocate_doubledRegionRefused_requestsTheNeededBytesLast() {
    ScriptedRegions small = ScriptedRegions.giving(bytes -> bytes <= 4096).fixed();
    BfcAllocator regions =
        new BfcAllocator("gpu", small, BfcOptions.expandable().withFirstRegion(5000));
    regions.allocate(4096);
    assertThat(small.calls())
        .containsExactly("refuse 5120", "refuse 4608", "refuse 4352", "give 4096");
    assertThat(regions.tryAllocate(4352, 256)).isEmpty();
    assertThat(small.calls()).endsWith("refuse 4608", "refuse 4352");
  }

  @Test
  void allocate_fixedRegionsAllFree_areGivenBackForALargerOne() {
    long[] left = {100 * MIB};
    ScriptedRegions device =
        ScriptedRegions.giving(
                bytes -> {
                  boolean gives = bytes <= left[0];
                  left[0] -= gives ? bytes : 0;
                  return gives;
                })
            .fixed();
    BfcAllocator regions = new BfcAllocator("gpu", device, BfcOptions.expandable());
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 95; i++) {
      addresses.add(regions.allocate(MIB));
    }
    addresses.forEach(regions::free);
    assertThat(regions.statistics().largestFreeChunkBytes()).isLessThan(50 * MIB);
    left[0] += regions.statistics().reservedBytes();
    assertThat(regions.tryAllocate(50 * MIB, 256)).isPresent();
    regions.internals().checkInvariants();
  }

  @Test
  void allocate_fixedRegionGoneAtOnce_theNextIsNoLarger() {
    ScriptedRegions device = ScriptedRegions.ascending().fixed();
    BfcAllocator regions =
        new BfcAllocator("gpu", device, BfcOptions.expandable().withTrimThreshold(1));
    for (int i = 0; i < 100; i++) {
      regions.free(regions.allocate(1000));
    }
    assertThat(device.calls()).hasSize(200).containsOnly("give 1048576", "free 1048576");
  }

  @Test
  void allocate_regionAtItsBound_isNotAskedAgainUntilItLosesBytes() {
    ScriptedRegions bounded = ScriptedRegions.giving(bytes -> bytes <= 4096).resizing();
    BfcAllocator regions =
        new BfcAllocator("gpu", bounded, BfcOptions.expandable().withSplitThreshold(1));
    regions.allocate(1024);
    regions.allocate(1024);
    long last = regions.allocate(2048);
    regions.allocate(1024);
    assertThat(bounded.calls()).endsWith("resize 2048 4096", "keep 4096 5120", "give 1024");
    bounded.calls().clear();
    regions.allocate(1024);
    regions.allocate(2048);
    regions.allocate(512);
    assertThat(bounded.calls())
        .containsExactly("resize 1024 2048", "resize 2048 4096", "keep 4096 4608", "give 512");
    regions.free(last);
    regions.trim();
    bounded.calls().clear();
    regions.allocate(4096);
    assertThat(bounded.calls()).containsExactly("keep 512 4608", "keep 2048 6144", "give 4096");
    regions.internals().checkInvariants();
  }

  @Test
  void allocate_allMemoryRefused_saysNothingOfRegions() {
    boolean[] gives = {true};
    ScriptedRegions full = ScriptedRegions.giving(bytes -> gives[0]).resizing();
    BfcAllocator regions = new BfcAllocator("gpu", full, BfcOptions.expandable());
    regions.allocate(1024);
    gives[0] = false;
    assertThat(regions.tryAllocate(1024, 256)).isEmpty();
    gives[0] = true;
    regions.allocate(1024);
    assertThat(full.calls())
        .containsExactly("give 1024", "keep 1024 2048", "refuse 1024", "resize 1024 2048");
  }
}
