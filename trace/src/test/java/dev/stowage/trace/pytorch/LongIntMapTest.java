package dev.stowage.trace.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LongIntMapTest {

  static LongStream seeds() {
    return Seeds.of(50);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyKeys_agreeWithTheMapOfJava(long seed) {
    Random random = new Random(seed);
    long step = 1L << random.nextInt(60);
    int keys = 1 + random.nextInt(2000);
    LongIntMap map = new LongIntMap();
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < 3000; i++) {
      long key = step * (random.nextInt(keys) - 5);
      assertThat(map.get(key, -7)).isEqualTo(expected.getOrDefault(key, -7));
      int value = random.nextInt(1000) - 1;
      map.put(key, value);
      expected.put(key, value);
    }
    expected.forEach((key, value) -> assertThat(map.get(key, -7)).isEqualTo(value));
  }
}
