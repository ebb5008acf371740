package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedDeviceTest {

  @Test
  void kernelAlignmentBytes_asRegionsLie_isThat() {
    try (SimulatedDevice narrow = new SimulatedDevice("narrow", 0);
        SimulatedDevice wide = new SimulatedDevice("wide", 0, 512)) {
      assertThat(narrow.kernelAlignmentBytes()).isEqualTo(256);
      assertThat(wide.kernelAlignmentBytes()).isEqualTo(wide.alignmentBytes()).isEqualTo(512);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {128, 384, 1L << 45, Long.MIN_VALUE})
  void new_impossibleAlignment_isRejected(long alignmentBytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SimulatedDevice("gpu", 0, alignmentBytes))
        .withMessage(
            "device 'gpu' needs an alignment that is a power of two from 256 to 2^44: alignmentBytes=%s",
            alignmentBytes);
  }

  @Test
  void new_negativeMemory_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SimulatedDevice("gpu", -1))
        .withMessage("device 'gpu' has negative memory: totalBytes=-1");
  }
}
