package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.OutOfMemoryNumbers;
import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.TraceProgram;
import dev.stowage.trace.replay.ReplayResult;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FailureAdviceTest {

  private static List<String> lines(
      TraceProgram program, OutOfMemoryVerdict verdict, long bytes, boolean hasRegions) {
    ReplayResult.Failure failure =
        new ReplayResult.Failure(
            1,
            new AllocationEvent.Allocate("0", bytes, 0, 0),
            verdict,
            OutOfMemoryNumbers.ofRequest(bytes),
            true,
            "a reason");
    return new FailureAdvice(AllocatorKind.xla, program, failure, hasRegions).lines();
  }

  /** The names of settings that a program does not have are in none of its lines. */
  @ParameterizedTest
  @EnumSource(OutOfMemoryVerdict.class)
  void lines_anyVerdict_nameOnlySettingsOfTheProgram(OutOfMemoryVerdict verdict) {
    assertThat(String.join("\n", lines(TraceProgram.JAX, verdict, 256, true)))
        .doesNotContain("tf.config", "TF_", "TensorFlow");
    assertThat(String.join("\n", lines(TraceProgram.TENSORFLOW, verdict, 256, true)))
        .doesNotContain("XLA_", "JAX");
  }

  @ParameterizedTest
  @CsvSource({
    "JAX, DOES_NOT_FIT, smaller batch, PREALLOCATE",
    "JAX, FRAGMENTED, XLA_PYTHON_CLIENT_PREALLOCATE=true, batch",
    "JAX, REFUSED, nvidia-smi, The limit is",
    "TENSORFLOW, LIMIT, tf.config.set_logical_device_configuration, growth",
    "TENSORFLOW, FRAGMENTED, TF_GPU_ALLOCATOR=cuda_malloc_async, batch",
    "TENSORFLOW, REFUSED, tf.config.experimental.set_memory_growth, The limit is",
  })
  void lines_aVerdict_haveItsRemedyAndNotThatOfAnother(
      TraceProgram program, OutOfMemoryVerdict verdict, String remedy, String other) {
    assertThat(String.join("\n", lines(program, verdict, 256, true)))
        .contains(remedy)
        .doesNotContain(other);
  }

  @ParameterizedTest
  @EnumSource(
      value = OutOfMemoryVerdict.class,
      names = {"DOES_NOT_FIT", "FRAGMENTED", "REFUSED"})
  void lines_ofOneOfTwoPrograms_nameBoth(OutOfMemoryVerdict verdict) {
    assertThat(String.join("\n", lines(TraceProgram.JAX_OR_TENSORFLOW, verdict, 256, true)))
        .contains("XLA_", "tf.config");
  }

  @ParameterizedTest
  @EnumSource(TraceProgram.class)
  void lines_aSizeThatWrappedAround_sayThatNoSettingHelps(TraceProgram program) {
    assertThat(lines(program, OutOfMemoryVerdict.DOES_NOT_FIT, Long.MAX_VALUE, true))
        .containsExactly(
            "The size is that of a negative number or of an overflow, which wraps around when the"
                + " allocator rounds it. No setting helps.");
  }
}
