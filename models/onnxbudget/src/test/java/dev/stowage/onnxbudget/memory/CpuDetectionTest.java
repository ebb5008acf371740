package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The class of a processor from the file of Linux and the vectors of the virtual machine. */
class CpuDetectionTest {

  private static final String AVX512 = "avx2 fma avx512f avx512bw avx512dq avx512vl";

  private static CpuClass of(String flags, OptionalInt vectors) {
    return CpuDetection.of(
        "amd64", "processor\t: 0\nmodel\t\t: 26\nflags\t\t: fpu sse2 " + flags + "\n", vectors);
  }

  @ParameterizedTest
  @CsvSource({
    "ssse3, 0, baseline",
    "avx, 1, baseline",
    "avx avx2, 2, baseline",
    "avx2 fma, 2, avx2",
    "avx2 fma avx_vnni, 2, avx2",
    "avx2 fma avx512f, 3, avx2",
    "AVX512, 3, avx512",
    "AVX512 avx512_vnni, 3, avx512-vnni",
    "AVX512 avx512_vnni amx_tile, 3, avx512-vnni",
    "AVX512 avx512_vnni amx_tile amx_int8, 3, amx"
  })
  void of_flags_isTheClassWithThem(String flags, int vectors, String expected) {
    assertThat(of(flags.replace("AVX512", AVX512), OptionalInt.of(vectors))).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, baseline", "1, baseline", "2, avx2", "3, amx"})
  void of_flagsOfTheHostOfAnEmulator_isLimitedByTheVectors(int vectors, String expected) {
    String flags = AVX512 + " avx512_vnni amx_tile amx_int8";
    assertThat(of(flags, OptionalInt.of(vectors))).hasToString(expected);
  }

  @Test
  void of_skylake_hasVectorsThatTheVirtualMachineAvoids() {
    String skylake =
        "vendor_id\t: GenuineIntel\nmodel\t\t: 85\nstepping\t: 4\nflags\t\t: " + AVX512 + "\n";
    assertThat(CpuDetection.of("amd64", skylake, OptionalInt.of(2))).isEqualTo(CpuClass.AVX512);
    assertThat(CpuDetection.of("amd64", skylake, OptionalInt.of(0))).isEqualTo(CpuClass.BASELINE);
  }

  @Test
  void of_vectorsOfTheUser_doNotLimitTheClass() {
    assertThat(of(AVX512, OptionalInt.empty())).isEqualTo(CpuClass.AVX512);
  }

  @Test
  void of_otherSystems_followsFromTheVectors() {
    assertThat(CpuDetection.of("amd64", "", OptionalInt.of(3))).isEqualTo(CpuClass.AVX512);
    assertThat(CpuDetection.of("amd64", "", OptionalInt.of(2))).isEqualTo(CpuClass.AVX2);
    assertThat(CpuDetection.of("amd64", "", OptionalInt.empty())).isEqualTo(CpuClass.BASELINE);
    assertThat(CpuDetection.of("aarch64", "", OptionalInt.empty())).isEqualTo(CpuClass.ARM64);
  }

  @Test
  void of_name_isTheClass() {
    for (CpuClass cpu : CpuClass.values()) {
      assertThat(CpuClass.of(cpu.toString())).contains(cpu);
    }
    assertThat(CpuClass.of("avx3")).isEmpty();
  }
}
