package dev.stowage.memory.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Regions that come, grow, shrink and go, each with a pattern of its own. */
class HostMemoryRandomTest {

  private record Region(long address, long bytes, byte pattern) {}

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_regionsKeepTheirContents(long seed) {
    Random random = new Random(seed);
    HostMemories kind = HostMemories.any(random);
    try (HostMemory host = kind.open()) {
      List<Region> regions = new ArrayList<>();
      long most = Math.max(2 * host.granularityBytes(), 1 + random.nextInt(1 << 20));
      for (int i = 0; i < 80; i++) {
        if (regions.isEmpty() || (regions.size() < 10 && random.nextInt(3) == 0)) {
          regions.add(allocate(host, 1 + random.nextLong(most), (byte) random.nextInt()));
        } else {
          int index = random.nextInt(regions.size());
          Region region = regions.remove(index);
          check(host, region);
          if (random.nextInt(3) == 0) {
            host.free(region.address(), region.bytes());
          } else {
            regions.add(resize(host, region, 1 + random.nextLong(most)));
          }
        }
        assertThat(host.heldBytes()).isEqualTo(regions.stream().mapToLong(Region::bytes).sum());
      }
      for (Region region : regions) {
        check(host, region);
        host.free(region.address(), region.bytes());
      }
    }
  }

  private static Region allocate(HostMemory host, long bytes, byte pattern) {
    OptionalLong address = host.allocate(bytes);
    host.segment(address.orElseThrow(), bytes).fill(pattern);
    return new Region(address.getAsLong(), bytes, pattern);
  }

  private static Region resize(HostMemory host, Region region, long newBytes) {
    if (!host.resize(region.address(), region.bytes(), newBytes)) {
      check(host, region);
      return region;
    }
    Region resized = new Region(region.address(), newBytes, region.pattern());
    check(host, new Region(region.address(), Math.min(region.bytes(), newBytes), region.pattern()));
    host.segment(resized.address(), newBytes).fill(resized.pattern());
    return resized;
  }

  private static void check(HostMemory host, Region region) {
    MemorySegment segment = host.segment(region.address(), region.bytes());
    boolean firstIsRight = segment.get(ValueLayout.JAVA_BYTE, 0) == region.pattern();
    // All bytes are the same as their neighbours.
    boolean othersToo = segment.asSlice(1).mismatch(segment.asSlice(0, region.bytes() - 1)) == -1;
    if (!firstIsRight || !othersToo) {
      throw new AssertionError(region + " was overwritten");
    }
  }
}
