package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sizes of packed weights for all classes of processors. */
class QuantizedPackingTest {

  private static QuantizedPacking packing(String cpu) {
    return new QuantizedPacking(CpuClass.of(cpu).orElseThrow());
  }

  /** 16 columns of 4 bytes for the sum, and 65 rows rounded up. */
  @ParameterizedTest
  @CsvSource({
    "baseline, 0, 0",
    "avx2, 1_152, 1_152",
    "avx512, 1_152, 1_152",
    "avx512-vnni, 1_152, 1_152",
    "amx, 1_152, 2_112",
    "arm64, 1_216, 1_216"
  })
  void matrixBytes_65Rows_areRoundedUp(String cpu, String unsigned, String signed) {
    assertThat(packing(cpu).matrixBytes(65, 10, false)).isEqualTo(number(unsigned));
    assertThat(packing(cpu).matrixBytes(65, 10, true)).isEqualTo(number(signed));
  }

  /** Convolutions of 64 channels with windows of 3 x 3. */
  @ParameterizedTest
  @CsvSource({
    "baseline, 0, 0, 0",
    "avx2, 0, 18_432, 288",
    "avx512, 18_432, 18_432, 288",
    "avx512-vnni, 18_432, 18_432, 288",
    "amx, 18_432, 18_432, 288",
    "arm64, 0, 0, 288"
  })
  void symmetricBytes_20And24Channels_areThoseOfTheKernel(
      String cpu, String of20, String of24, String ofGroups) {
    assertThat(packing(cpu).symmetricBytes(1, 64, 20, 9)).isEqualTo(number(of20));
    assertThat(packing(cpu).symmetricBytes(1, 64, 24, 9)).isEqualTo(number(of24));
    assertThat(packing(cpu).symmetricBytes(32, 1, 1, 9)).isEqualTo(number(ofGroups));
  }

  @ParameterizedTest
  @CsvSource({"baseline, 0", "avx2, 6_400", "avx512, 6_400", "avx512-vnni, 6_400", "amx, 6_400"})
  void blockBytes_fourBits_areThoseOfTheWeights(String cpu, String expected) {
    assertThat(packing(cpu).blockBytes(320, 40, 4, 32, false)).isEqualTo(number(expected));
  }

  private static long number(String text) {
    return Long.parseLong(text.replace("_", ""));
  }
}
