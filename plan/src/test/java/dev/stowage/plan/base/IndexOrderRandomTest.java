package dev.stowage.plan.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.cases.RandomRecords;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the order of indices pair by pair. */
class IndexOrderRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void indexOrder_equalKeys_stayInTheOrderOfTheirIndices(long seed) {
    Random random = new Random(seed);
    // Keys with a wide range leave no room for an index.
    long factor = random.nextBoolean() ? 1 : Long.MAX_VALUE / 8;
    long[] keys =
        random
            .longs(random.nextInt(40), 0, 1 + random.nextInt(10))
            .map(key -> factor * (key - 3))
            .toArray();
    int[] ascending = IndexOrder.ascending(keys.length, i -> keys[i]);
    int[] descending = IndexOrder.descending(keys.length, i -> keys[i]);
    assertThat(ascending).hasSameSizeAs(keys);
    assertThat(descending).hasSameSizeAs(keys);
    for (int k = 1; k < keys.length; k++) {
      assertBefore(keys[ascending[k - 1]], keys[ascending[k]], ascending[k - 1], ascending[k]);
      assertBefore(
          -keys[descending[k - 1]], -keys[descending[k]], descending[k - 1], descending[k]);
    }
  }

  private static void assertBefore(long keyBefore, long keyAfter, int before, int after) {
    assertThat(keyBefore < keyAfter || (keyBefore == keyAfter && before < after)).isTrue();
  }
}
