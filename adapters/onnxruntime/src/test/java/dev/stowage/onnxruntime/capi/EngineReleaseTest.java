package dev.stowage.onnxruntime.capi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineReleaseTest {

  @ParameterizedTest
  @CsvSource({"1.29.0, 1, 29", "1.30, 1, 30", "1.23rc1, 1, 23", "1.28-dev, 1, 28", "2.0, 2, 0"})
  void of_versionWithTwoNumbers_hasThem(String version, int major, int minor) {
    assertThat(EngineRelease.of(version)).contains(new EngineRelease(major, minor));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1.", "main", "v1.29", "1.x", "1.1234567", "-1.2", "1.-2"})
  void of_otherText_isEmpty(String version) {
    assertThat(EngineRelease.of(version)).isEmpty();
  }

  @Test
  void isSince_releases_isTrueFromTheMinorVersionOn() {
    assertThat(new EngineRelease(0, 99).isSince(23)).isFalse();
    assertThat(new EngineRelease(1, 22).isSince(23)).isFalse();
    assertThat(new EngineRelease(1, 23).isSince(23)).isTrue();
    assertThat(new EngineRelease(2, 0).isSince(23)).isTrue();
  }
}
