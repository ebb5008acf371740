package dev.stowage.onnxbudget;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineRulesTest {

  @Test
  void difference_engineOfThisBuild_none() {
    assertThat(EngineRules.difference()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.29", "1.29.0", "1.29.7"})
  void difference_otherPatch_none(String version) {
    assertThat(EngineRules.difference(version)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.28.0", "1.30.0", "1.290.0", "2.0.0", ""})
  void difference_otherVersion_isNamed(String version) {
    assertThat(EngineRules.difference(version))
        .hasValue(
            "the rules are those of ONNX Runtime 1.29 and were not compared with version "
                + version);
  }
}
