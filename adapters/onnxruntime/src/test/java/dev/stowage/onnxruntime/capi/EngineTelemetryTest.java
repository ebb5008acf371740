package dev.stowage.onnxruntime.capi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineTelemetryTest {

  private static final String ON =
      "ONNX Runtime 1.29.0 reports the use of models to its vendor unless the process starts with the environment variable ORT_DISABLE_TELEMETRY=1: ";

  @Test
  void warning_variableIsNotSet_namesIt() {
    assertThat(EngineTelemetry.warning("1.29.0", Map.of()))
        .contains(ON + "ORT_DISABLE_TELEMETRY is not set");
  }

  @Test
  void warning_variableIsNotOne_hasItsValue() {
    assertThat(EngineTelemetry.warning("1.29.0", Map.of("ORT_DISABLE_TELEMETRY", "0")))
        .contains(ON + "ORT_DISABLE_TELEMETRY=0");
  }

  @Test
  void warning_variableIsOne_isEmpty() {
    assertThat(EngineTelemetry.warning("1.29.0", Map.of("ORT_DISABLE_TELEMETRY", "1"))).isEmpty();
  }

  @Test
  void warning_versions_beginsWith129() {
    assertThat(EngineTelemetry.warning("1.23.2", Map.of())).isEmpty();
    assertThat(EngineTelemetry.warning("1.28.1-rc1", Map.of())).isEmpty();
    assertThat(EngineTelemetry.warning("1.30.0-dev", Map.of())).isPresent();
    assertThat(EngineTelemetry.warning("2.0", Map.of())).isPresent();
    assertThat(EngineTelemetry.warning("main", Map.of())).isPresent();
  }

  @Test
  void warning_thisProcess_isEmpty() {
    assertThat(EngineTelemetry.warning("1.29.0", System.getenv())).isEmpty();
  }
}
