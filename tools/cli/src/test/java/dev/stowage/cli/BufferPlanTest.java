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

/** Headers with a plan for TensorFlow Lite Micro's planner of offsets that are known before. */
class BufferPlanTest {

  /** A check of the header in C and in C++, with the structures of TensorFlow Lite Micro. */
  private static final String SOURCE =
      """
      #include "plan.h"
      struct BufferDescriptor {
        int32_t offset;
      };
      struct BufferPlan {
        int32_t buffer_count;
        struct BufferDescriptor buffer_plan_entries[1];
      };
      int main(void) {
        const struct BufferPlan *plan = (const struct BufferPlan *)&NET_BUFFER_PLAN;
        const struct BufferDescriptor *entry = plan->buffer_plan_entries;
        int32_t i;
        if (NET_ARENA_ALIGNMENT != 16 || plan->buffer_count != NET_TENSOR_COUNT) {
          return 1;
        }
        for (i = 0; i < plan->buffer_count; i++) {
          if ((uint32_t)entry[i].offset != NET_OFFSETS[i]) {
            return 2;
          }
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
  void plan_headerWithScratch_compilesAndHasAnEntryForEachBuffer() throws Exception {
    Path scratch =
        Files.writeString(
            folder.resolve("scratch.csv"), "subgraph,operator,bytes\n0,1,40\n0,0,20\n0,0,4\n");
    CommandRun run = plan("--scratch", scratch);
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEqualTo("stowage: wrote %s\n".formatted(header));
    assertThat(header)
        .content()
        .contains("#define NET_BUFFER_COUNT 6\n")
        .containsSubsequence(
            "NET_BUFFER_PLAN = {\n    NET_BUFFER_COUNT,\n    {\n",
            "/* image * / /, 192 bytes */\n",
            "/* mean, 16 bytes */\n",
            "/* tensor 2, 16 bytes */\n",
            "/* scratch of operator 0, 32 bytes */\n",
            "/* scratch of operator 0, 16 bytes */\n",
            "/* scratch of operator 1, 48 bytes */\n");

    CCompiler.assertRuns(Files.writeString(folder.resolve("use.c"), SOURCE));
    CCompiler.assertRuns(
        Files.writeString(
            folder.resolve("unused.c"), "#include \"plan.h\"\nint main(void) { return 0; }\n"));
  }

  @Test
  void plan_headerWithoutKnownScratch_saysWhyThereIsNoBufferPlan() throws IOException {
    CommandRun run = plan();
    String reason =
        "scratch buffers are not known; --scratch FILE adds them, --no-scratch states that there are none";
    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .endsWith(
            "stowage: wrote %s\nstowage: note: %s: the header has no BufferPlan: %s\n"
                .formatted(header, header, reason));
    assertThat(header).content().contains("/* No BufferPlan: " + reason + ". */\n");
    assertThat(header).content().doesNotContain("BUFFER_PLAN");
  }

  @Test
  void plan_headerOfAModelWithAPlan_saysWhyThereIsNoBufferPlan() throws IOException {
    Path planned = folder.resolve("planned.tflite");
    CommandRun.of("rewrite", model, "--output", planned);
    model = planned;
    CommandRun run = plan("--no-scratch");
    assertThat(run.err())
        .endsWith(
            "the header has no BufferPlan: the model has an offline plan, which NonPersistentMemoryPlannerShim rejects\n");
    assertThat(header).content().contains("/* No BufferPlan: the model has an offline plan");
  }
}
