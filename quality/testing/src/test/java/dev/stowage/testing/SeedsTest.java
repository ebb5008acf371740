package dev.stowage.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeedsTest {

  private final Properties properties = new Properties();

  @Test
  void of_noProperty_theUsualSeeds() {
    assertThat(Seeds.of(3, properties)).containsExactly(0L, 1L, 2L);
  }

  @Test
  void of_seed_thatSeedAtAnyScale() {
    properties.setProperty("tests.seed", "4711");
    properties.setProperty("tests.scale", "10");
    assertThat(Seeds.of(3, properties)).containsExactly(4711L);
  }

  @ParameterizedTest
  @CsvSource({"10, 30", "0.5, 2", "0.001, 1", "1e3, 3000"})
  void of_scale_asManyTimesTheSeeds(String scale, int expected) {
    properties.setProperty("tests.scale", scale);
    assertThat(Seeds.of(3, properties)).hasSize(expected).startsWith(0L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "Infinity", "many"})
  void of_impossibleScale_isRejected(String scale) {
    properties.setProperty("tests.scale", scale);
    assertThatThrownBy(() -> Seeds.of(3, properties)).isInstanceOf(IllegalArgumentException.class);
  }
}
