package dev.stowage.onnxbudget;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineRulesTest {

  @Test
  void difference_engineOfThisBuild_none() {
    assertThat(EngineRules.difference()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.20.0", "1.23.2", "1.26.0", "1.28.0", "1.29", "1.29.0", "1.29.7"})
  void difference_comparedVersion_none(String version) {
    assertThat(EngineRules.difference(version)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1.16.3, 1.20",
    "1.19.2, 1.20",
    "1.22.0, 1.20 and 1.23",
    "1.24.2, 1.23 and 1.26",
    "1.27.1-rc1, 1.26 and 1.28",
    "1.30.0, 1.29",
    "1.290.0, 1.29",
    "2.0.0, 1.29",
    "'', 1.29"
  })
  void difference_otherVersion_namesItAndTheRules(String version, String rules) {
    assertThat(EngineRules.difference(version))
        .hasValue(
            "ONNX Runtime "
                + version
                + " was not compared; the figures are the largest by the rules of "
                + rules
                + " (compared: 1.20, 1.23, 1.26, 1.28, 1.29)");
  }
}
