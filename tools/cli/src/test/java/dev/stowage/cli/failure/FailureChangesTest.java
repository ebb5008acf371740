package dev.stowage.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.OutOfMemoryVerdict;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FailureChangesTest {

  private static String lines(
      FailureProgram program, OutOfMemoryVerdict verdict, FailureNumbers numbers) {
    return FailureChanges.of(FailureFacts.of(program, verdict, numbers)).remedies().stream()
        .map(FailureChanges.Remedy::line)
        .collect(Collectors.joining("\n"));
  }

  private static String lines(FailureProgram program, OutOfMemoryVerdict verdict) {
    return lines(program, verdict, FailureNumbers.NONE);
  }

  @ParameterizedTest
  @EnumSource(OutOfMemoryVerdict.class)
  void of_anyVerdict_namesOnlySettingsOfTheProgram(OutOfMemoryVerdict verdict) {
    assertThat(lines(FailureProgram.JAX, verdict)).doesNotContain("tf.config", "TF_", "TensorFlow");
    assertThat(lines(FailureProgram.TENSORFLOW, verdict)).doesNotContain("XLA_", "JAX");
  }

  @ParameterizedTest
  @CsvSource({
    "JAX, DOES_NOT_FIT, smaller batch, PREALLOCATE",
    "JAX, FRAGMENTED, XLA_PYTHON_CLIENT_PREALLOCATE=true, batch",
    "JAX, REFUSED, nvidia-smi, Raise the limit",
    "TENSORFLOW, LIMIT, tf.config.set_logical_device_configuration, growth",
    "TENSORFLOW, FRAGMENTED, TF_GPU_ALLOCATOR=cuda_malloc_async, batch",
    "TENSORFLOW, REFUSED, tf.config.experimental.set_memory_growth, Raise the limit",
    "PYTORCH, LIMIT, set_per_process_memory_fraction(1.0), expandable",
    "RMM, LIMIT, maximum_pool_size, batch",
    "NETTY, LIMIT, -XX:MaxDirectMemorySize, batch",
  })
  void of_aVerdict_hasItsRemedyAndNotThatOfAnother(
      FailureProgram program, OutOfMemoryVerdict verdict, String remedy, String other) {
    assertThat(lines(program, verdict)).contains(remedy).doesNotContain(other);
  }

  @ParameterizedTest
  @EnumSource(
      value = OutOfMemoryVerdict.class,
      names = {"DOES_NOT_FIT", "FRAGMENTED", "REFUSED"})
  void of_oneOfTwoPrograms_namesBoth(OutOfMemoryVerdict verdict) {
    assertThat(lines(FailureProgram.XLA, verdict)).contains("XLA_", "tf.config");
  }

  @ParameterizedTest
  @EnumSource(FailureProgram.class)
  void of_aSizeThatWrapsAround_saysThatNoSettingHelps(FailureProgram program) {
    FailureNumbers numbers =
        FailureNumbers.NONE.with(FailurePart.REQUESTED, PrintedBytes.exact(Long.MAX_VALUE));

    assertThat(
            FailureChanges.of(FailureFacts.of(program, OutOfMemoryVerdict.DOES_NOT_FIT, numbers))
                .remedies())
        .extracting(FailureChanges.Remedy::why)
        .containsExactly("No setting helps.");
  }

  @Test
  void of_aFragmentedPoolWithALimitOfTheProgram_namesTheFractionToo() {
    FailureNumbers numbers =
        FailureNumbers.NONE.with(FailurePart.LIMIT, PrintedBytes.exact(1L << 30));

    assertThat(lines(FailureProgram.PYTORCH, OutOfMemoryVerdict.FRAGMENTED, numbers))
        .contains("expandable_segments:True", "set_per_process_memory_fraction");
    assertThat(lines(FailureProgram.PYTORCH, OutOfMemoryVerdict.FRAGMENTED))
        .doesNotContain("set_per_process_memory_fraction");
  }
}
