package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Headers with a plan for TensorFlow Lite Micro. */
class MicroHeaderTest {

  /** A check of the header in C and in C++. */
  private static final String SOURCE =
      """
      #include "plan.h"
      int main(void) {
        if (NET_ARENA_ALIGNMENT != 16 || NET_TENSOR_COUNT != 6) {
          return 1;
        }
        if (NET_TENSOR_ARENA_SIZE > NET_TENSOR_ARENA_SIZE_AS_IT_IS) {
          return 2;
        }
        return NET_OFFSETS[NET_TENSOR_COUNT - 1] < NET_ARENA_BYTES ? 0 : 3;
      }
      """;

  @TempDir Path folder;
  private Path model;
  private Path header;

  @BeforeEach
  void writeModel() throws IOException {
    model = folder.resolve("net.tflite");
    header = folder.resolve("plan.h");
    TfliteGraphBuilder net = TfliteGraphBuilder.named("net");
    GraphTensor image = net.input("image */ \\", 1, 4, 4, 3);
    net.output(net.softmax("", net.mean("mean", image)));
    net.writeTo(model);
  }

  private CommandRun plan(Object... options) {
    Object[] fixed = {"plan", model, "--runtime", "tflm", "--output", header};
    return CommandRun.of(Stream.concat(Stream.of(fixed), Stream.of(options)).toArray());
  }

  @Test
  void plan_headerWithScratch_compilesAndHasTheArena() throws Exception {
    Path scratch =
        Files.writeString(
            folder.resolve("scratch.csv"), "subgraph,operator,bytes\n0,1,40\n0,0,20\n0,0,4\n");
    CommandRun run = plan("--scratch", scratch);
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEqualTo("stowage: wrote %s\n".formatted(header));
    CCompiler.assertRuns(Files.writeString(folder.resolve("use.c"), SOURCE));
    CCompiler.assertRuns(
        Files.writeString(
            folder.resolve("unused.c"), "#include \"plan.h\"\nint main(void) { return 0; }\n"));
  }
}
