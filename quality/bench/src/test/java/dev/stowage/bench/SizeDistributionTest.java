package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SizeDistributionTest {

  @ParameterizedTest
  @EnumSource
  void draw_many_areInTheRangeAndRepeatable(SizeDistribution sizes) {
    long[] bytes = sizes.draw(100_000);
    assertThat(Arrays.stream(bytes)).allMatch(size -> size >= 256 && size <= 1 << 20);
    assertThat(bytes).isEqualTo(sizes.draw(100_000));
  }
}
