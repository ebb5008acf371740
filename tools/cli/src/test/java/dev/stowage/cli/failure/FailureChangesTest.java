package dev.stowage.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.OutOfMemoryVerdict;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  /** {@return the changes that can help, those that cannot, and the lines to record, of a text} */
  private static String lines(String text) throws IOException {
    FailureReader.Found found =
        FailureReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    ExplainedFailure explained =
        ExplainedFailure.of("text", found.last().orElseThrow(), found.count(), false);
    return Stream.of(
            explained.changes().remedies().stream().map(FailureChanges.Remedy::line),
            explained.changes().useless().stream().map(FailureChanges.Remedy::text),
            explained.record().stream(),
            Stream.of(explained.next()))
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # before 2.1, nothing records memory, and segments do not grow
          CUDA out of memory. Tried to allocate 48.00 MiB (GPU 1; 10.76 GiB total capacity; 9.71 GiB already allocated; 30.25 MiB free; 96.12 MiB cached) | Keep large blocks whole                  | Let segments grow, before
          CUDA out of memory. Tried to allocate 48.00 MiB (GPU 1; 10.76 GiB total capacity; 9.71 GiB already allocated; 30.25 MiB free; 96.12 MiB cached) | smaller batch                            | If the platform
          CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 10.76 GiB total capacity; 9.71 GiB already allocated; 30.25 MiB free; 96.12 MiB cached)  | max_split_size_mb (the hint of PyTorch)  | expandable
          # fragmented, and others hold the GPU
          CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 79.11 GiB of which 42.44 MiB is free. Of the allocated memory 8.44 GiB is allocated by PyTorch, and 31.53 MiB is reserved by PyTorch but unallocated. | nvidia-smi | reinstall
          CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 79.11 GiB of which 42.44 MiB is free. Of the allocated memory 8.44 GiB is allocated by PyTorch, and 31.53 MiB is reserved by PyTorch but unallocated. | smaller batch | reinstall
          XPU out of memory. Tried to allocate 5.00 GiB. GPU 0 has a total capacity of 15.91 GiB. Of the allocated memory 12.00 GiB is allocated by PyTorch, and 300.00 MiB is reserved by PyTorch but unallocated. | torch.autocast("xpu" | cuda
          MPS backend out of memory (MPS allocated: 8.20 GB, other allocations: 700.00 MB, max allowed: 9.07 GB). Tried to allocate 512.00 MB on private pool. | torch.mps.driver_allocated_memory() | torch.cuda
          java.lang.OutOfMemoryError: Could not allocate native memory: std::bad_alloc: out_of_memory: RMM failure at:a.hpp:196: Maximum pool size exceeded | spark.rapids.memory.gpu.maxAllocFraction | rmm.mr
          DefaultCPUAllocator: not enough memory: you tried to allocate 4294967296000 bytes. | ulimit -v | -X
          OOM when allocating tensor with shape[9,9] and type float on device:CPU:0 by allocator cpu | smaller batch | nvidia
          Native memory allocation (mmap) failed to map 16384 bytes for committing reserved memory. | vm.max_map_count | smaller batch
          Reason: OOMKilled | dmesg | limits=
          """)
  void of_aText_areThoseOfItsProgram(String text, String line, String other) throws IOException {
    assertThat(lines(text)).contains(line).doesNotContain(other);
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
