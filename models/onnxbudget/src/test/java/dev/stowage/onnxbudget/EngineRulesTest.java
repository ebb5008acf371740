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
    "1.22.0, 1.20",
    "1.24.2, 1.23",
    "1.27.1-rc1, 1.26",
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
                + " was not compared; the rules are those of "
                + rules
                + " (compared: 1.20, 1.23, 1.26, 1.28, 1.29)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.19.2", "1.20.0", "1.23.2", "1.25.1"})
  void unmeasuredWorkspaces_engineWithoutReports_namesItsVersion(String version) {
    assertThat(EngineRules.unmeasuredWorkspaces(version))
        .hasValue(
            "workspaces of operators were not measured: ONNX Runtime "
                + version
                + " does not report them, expected 1.26 or newer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.26.0", "1.29.0", "2.0.0"})
  void unmeasuredWorkspaces_engineWithReports_none(String version) {
    assertThat(EngineRules.unmeasuredWorkspaces(version)).isEmpty();
  }
}
