package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stowage explain}, and the commands that send the text of a failure to it. */
class ExplainCommandTest {

  private static final Path PYTORCH = Path.of("examples/failures/pytorch.txt");

  @TempDir private Path folder;

  @Test
  void explain_message_printsTheAnswerAndItsReasons() {
    assertThat(ShownRun.of("explain", "examples/failures/onnxruntime.txt").text())
        .isEqualTo(
            """
            examples/failures/onnxruntime.txt: The limit of ONNX Runtime's arena (gpu_mem_limit) is too small: the request of 70.000 MiB (73,400,320 bytes) finds 48.000 MiB (50,331,648 bytes) left; 22.000 MiB (23,068,672 bytes) are missing.

            NUMBER                                       bytes
              requested          70.000 MiB (73,400,320 bytes)
              available          48.000 MiB (50,331,648 bytes)
              missing (derived)  22.000 MiB (23,068,672 bytes)

            Changes that can help:
            - Run smaller batches, or fewer runs at a time. The arena keeps the peak of all runs.
            - Extend the arena by what is requested. The default, kNextPowerOfTwo, doubles the regions. The line is for OrtCUDAProviderOptions.
                cuda.add("arena_extend_strategy", "kSameAsRequested");
            - Raise the limit of the arena. The limit is a setting of the session.
                cuda.add("gpu_mem_limit", "BYTES");

            Changes that cannot help:
            - a larger -Xmx: The arena is not in the heap of Java.
            Next: ./stowage budget MODEL.onnx
            """);
  }

  @Test
  void explain_forPrograms_hasTheNumbersOfTheText() {
    CommandRun run = CommandRun.of("explain", PYTORCH, "--format", "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .startsWith(
            "{\"input\":\"examples/failures/pytorch.txt\",\"program\":\"pytorch\",\"kind\":\"message"
                + " of PyTorch\",\"verdict\":\"does_not_fit\",\"sentence\":\"The request of 9.00 GiB")
        .contains(
            "\"failures\":1,\"requested_bytes\":9663676416,\"missing_bytes\":6732361237,",
            "\"free_bytes\":1406601789,\"cached_bytes\":1524713390,\"largest_hole_bytes\":null,",
            "\"other_bytes\":483183822,\"limit_bytes\":null,\"remedies\":[{\"text\":",
            "\"paste\":null,\"why\":",
            "\"useless\":[{\"text\":\"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (the hint of"
                + " PyTorch) and max_split_size_mb\",\"why\":",
            "\"record\":[\"torch.cuda.memory._record_memory_history()\",\"try:\",",
            "\"next\":\"stowage replay snapshot.pickle\"");
  }

  @Test
  void explain_standardInput_isExplained() {
    StringWriter out = new StringWriter();
    String text =
        "Exception: failed to allocate 16777216 byte(s) of direct memory (used: 8, max: 16777216)";
    int exitCode =
        new Program(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out),
                new PrintWriter(out),
                new Interruption())
            .run("explain", "-");

    assertThat(exitCode).isEqualTo(ExitCode.DONE);
    assertThat(out.toString())
        .startsWith(
            "-: The limit of direct memory is reached, 8 bytes of 16.000 MiB: the request of");
  }

  @Test
  void explain_severalFailures_countsThem() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("log"),
            """
            Failed to allocate tail memory. Requested: 40, available 8, missing: 32
            Failed to allocate tail memory. Requested: 16, available 8, missing: 8
            """);
    assertThat(CommandRun.of("explain", log).out())
        .startsWith(
            log
                + ": The tensor arena is too small: the request of 16 bytes finds 8 bytes left; 8"
                + " bytes are missing.\nThe text has 2 failures; this is the last one.\n");
  }

  @Test
  void explain_tensorArena_namesTheKernelsOfEspNn() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("log"),
            "Failed to resize buffer. Requested: 19440, available 11876, missing: 7564");

    assertThat(ShownRun.of("explain", log).text())
        .contains(
            """
            - If the firmware uses ESP-NN, as is usual on chips of Espressif, name its version and the chip in stowage plan and rewrite. Otherwise, the size is that of the reference kernels, which can be far too small. dependencies.lock of the build names the version.
                --kernels esp-nn-VERSION@TARGET
            - Write a better plan into the model.\
            """)
        .endsWith("Next: ./stowage plan MODEL.tflite --runtime tflm\n");
  }

  @Test
  void explain_wholeReport_leadsToItsReplay() {
    ShownRun run = ShownRun.of("explain", "examples/jax/oom.log");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.text())
        .startsWith(
            "examples/jax/oom.log: Memory is fragmented: the request of 300.004 MiB (314,576,896"
                + " bytes) needs one piece, and 330.688 MiB are free in the allocator, at most"
                + " 256.000 MiB of it in one piece. The largest chunk in use has 6.625 MiB.\n")
        .contains("    export XLA_PYTHON_CLIENT_PREALLOCATE=true\n")
        .endsWith("Next: ./stowage replay examples/jax/oom.log\n");
  }

  @Test
  void explain_recording_isReplayed() {
    CommandRun run = CommandRun.of("explain", "examples/attention.pickle");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .startsWith("examples/attention.pickle: No request fails in this recording. PyTorch's");
    assertThat(CommandRun.of("explain", "examples/attention.pickle", "--format", "json").out())
        .contains("\"program\":\"pytorch\",\"kind\":\"recording\",\"verdict\":\"unknown\",");
  }

  @Test
  void explain_recordingWithAFailure_hasItsVerdict() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("rmm.csv"),
            """
            Thread,Time,Action,Pointer,Size,Stream
            1,10:00:00.000001,allocate,0x30a000000,1048576,0x2
            1,10:00:00.000002,allocate failure,(nil),4194304,0x2
            """);
    assertThat(CommandRun.of("explain", log, "--format", "json").out())
        .contains(
            "\"program\":\"rmm\",\"kind\":\"recording\",\"verdict\":\"does_not_fit\",",
            "\"failures\":1,\"requested_bytes\":4194304,");
  }

  @Test
  void explain_otherText_saysWhatIsExpected() throws IOException {
    Path text = Files.writeString(folder.resolve("t.txt"), "hello\n");
    CommandRun run = CommandRun.of("explain", text, PYTORCH);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).startsWith("examples/failures/pytorch.txt: The request of 9.00 GiB ");
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + text
                + ": has no failure that is known, expected the error text of PyTorch, JAX,"
                + " TensorFlow, ONNX Runtime, TensorFlow Lite Micro, Java, Netty, RAPIDS or the Linux"
                + " kernel; of a killed process, pass the output of dmesg or kubectl describe pod\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "4711:\n\nNative Memory Tracking:\n\nTotal: reserved=10KB, committed=5KB\n",
        "7f00-7f01 rw-p 0 00:00 0\nSize: 4 kB\nRss: 4 kB\nPss: 4 kB\n"
      })
  void explain_memoryOfAProcess_namesWho(String content) throws IOException {
    Path text = Files.writeString(folder.resolve("t.txt"), content);
    CommandRun run = CommandRun.of("explain", text);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: is the memory of a process, not a failure; run: stowage who %s\n"
                .formatted(text, text));
  }
}
