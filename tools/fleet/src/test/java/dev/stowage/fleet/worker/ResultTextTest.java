package dev.stowage.fleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResultTextTest {

  private static boolean isCut(String json, String... options) {
    return ResultText.isCut(json, List.of(options));
  }

  @Test
  void isCut_endsOfSearches_areThoseOfTime() {
    assertThat(isCut("{\"plans\":[{\"ended\":\"time_limit\"}]}")).isTrue();
    assertThat(isCut("{\"plans\":[{\"ended\":\"node_limit\"}]}")).isFalse();
    assertThat(isCut("[{\"cut\":false},{\"hindsight_cut\":true}]")).isTrue();
    assertThat(isCut("{\"reorder\":{\"operators\":[1],\"optimal\":false}}")).isTrue();
    assertThat(isCut("{\"reorder\":{\"optimal\":true},\"optimal\":false}")).isFalse();
    assertThat(isCut("{\"name\":\"cut\",\"ended\":5}")).isFalse();
    assertThat(isCut("not json")).isFalse();
  }

  @Test
  void isCut_layoutWithALimitOfTime_mayDiffer() {
    assertThat(isCut("{\"maximum_plan\":{}}", "--time-limit=5")).isTrue();
    assertThat(isCut("{\"maximum_plan\":{}}", "--node-limit", "5")).isFalse();
  }

  @Test
  void seconds_durations_haveNoZerosAtTheEnd() {
    assertThat(ResultText.seconds(Duration.ofMinutes(10))).isEqualTo("600");
    assertThat(ResultText.seconds(Duration.ofMillis(1_500))).isEqualTo("1.5");
  }
}
