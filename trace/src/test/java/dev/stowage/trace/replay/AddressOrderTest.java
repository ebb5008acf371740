package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AddressOrderTest {

  private static final long MIB = 1 << 20;

  static LongStream seeds() {
    return Seeds.of(100);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void next_anySizes_overlapsNoOtherRange(long seed) {
    Random random = new Random(seed);
    List<AddressOrder> orders = new ArrayList<>(AddressOrder.OTHERS);
    orders.add(AddressOrder.USUAL);
    for (AddressOrder order : orders) {
      TreeSet<Long> recorded = new TreeSet<>(List.of(0x7f00_0000_0000L));
      long top = 0x7f00_4000_0000L;
      AddressOrder.Addresses addresses = order.beside(recorded, top);
      TreeMap<Long, Long> ends = new TreeMap<>(Map.of(recorded.first(), top));
      for (int i = 0; i < 200; i++) {
        if (ends.size() > 1 && random.nextInt(3) == 0) {
          long freed = new ArrayList<>(ends.keySet()).get(random.nextInt(ends.size()));
          if (freed != recorded.first()) {
            ends.remove(freed);
            addresses.free(freed);
          }
        } else {
          long bytes = (1 + random.nextInt(40)) * 2L * MIB;
          long start = addresses.next(bytes);
          Map.Entry<Long, Long> below = ends.floorEntry(start);
          Long above = ends.higherKey(start);
          assertThat(below == null || below.getValue() <= start).isTrue();
          assertThat(above == null || start + bytes <= above).isTrue();
          ends.put(start, start + bytes);
        }
      }
    }
  }

  /** The segments of a job on an H100: their sizes, and their addresses in MiB. */
  @Test
  void next_ofTheUsualOrder_isThatOfARealDevice() {
    AddressOrder.Addresses addresses =
        AddressOrder.USUAL.beside(new TreeSet<>(List.of(0x7f43ae0L * MIB)), 0x7f44000L * MIB);
    long[] sizes = {12, 12, 20, 22, 2, 20, 24, 22, 18, 2, 2, 2, 22, 14, 22, 22, 18, 20, 16, 24};
    List<Long> starts = LongStream.of(sizes).mapToObj(size -> addresses.next(size * MIB)).toList();
    assertThat(starts)
        .containsExactly(
            LongStream.of(
                    0x7f43ac0, 0x7f43acc, 0x7f43aa0, 0x7f43a80, 0x7f43a96, 0x7f43a60, 0x7f43a40,
                    0x7f43a20, 0x7f43a00, 0x7f43a12, 0x7f43a14, 0x7f43a16, 0x7f439e0, 0x7f439c0,
                    0x7f439a0, 0x7f43980, 0x7f439ce, 0x7f43960, 0x7f43940, 0x7f43920)
                .mapToObj(mib -> mib * MIB)
                .toArray(Long[]::new));
  }
}
