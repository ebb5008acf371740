package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.Seeds;
import dev.stowage.testing.tflite.Activation;
import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.offline.OfflinePlanWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans in models: those that a rewrite replaces, keeps or refuses, and the check of them. */
class RewritePlansTest {

  @TempDir Path folder;

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @Test
  void rewrite_withAlias_placesInputAndResultAtTheSameOffset() throws IOException {
    Path model = reshape(64);
    Path copy = folder.resolve("copy.tflite");

    assertThat(rewrite(model, copy).out())
        .contains(
            "848  848 B",
            "copy.tflite has a plan and needs kTensorArenaSize = 848 with the reference kernels, as the original. No plan has a smaller head (proved).");
    assertThat(rewrite(model, copy, "--alias").out())
        .contains(
            "copy.tflite has a plan and needs kTensorArenaSize = 592 with the reference kernels, 256 bytes less than the original (-30.2 %). No plan has a smaller head (proved).");
    assertThat(CommandRun.of("check", copy).exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void rewrite_smallerPlanInTheModel_isKeptInAnIdenticalCopy() throws IOException {
    Path aliased = folder.resolve("aliased.tflite");
    rewrite(reshape(64), aliased, "--alias");
    Path copy = folder.resolve("copy.tflite");

    CommandRun run = rewrite(aliased, copy);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .contains(
            "the plan in the model is kept, because it needs less; --replace-plan replaces it");
    assertThat(run.out()).contains("copy.tflite is a copy of the model, without changes.");
    assertThat(copy).hasSameBinaryContentAs(aliased);
    for (String option : List.of("--force", "--replace-plan")) {
      assertThat(rewrite(aliased, copy, option).out()).contains("copy.tflite has a plan");
    }
  }

  @Test
  void rewrite_largerPlanInTheModel_isReplacedInPlace() throws IOException {
    Path model = planned(reshape(64), 1024, 0);
    Path copy = folder.resolve("copy.tflite");

    CommandRun run = rewrite(model, copy);

    assertThat(run.out())
        .contains(
            "1,280",
            "512",
            "needs kTensorArenaSize = 848 with the reference kernels, 768 bytes less than the original (-47.5 %)");
    assertThat(Files.size(copy)).isEqualTo(Files.size(model));
  }

  @Test
  void rewrite_overlappingPlanInTheModel_isKeptUnlessReplaced() throws IOException {
    Path model = planned(reshape(64), 16, 0);
    Path copy = folder.resolve("copy.tflite");

    CommandRun run = rewrite(model, copy, "--force");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .contains(
            "the plan in the model is kept, because live tensors share memory in it on purpose or by"
                + " mistake: input and result, at RESHAPE 0; --replace-plan replaces it");
    assertThat(copy).hasSameBinaryContentAs(model);
    assertThat(CommandRun.of("check", copy).exitCode()).isEqualTo(ExitCode.NO_PLAN);
    CommandRun replaced = rewrite(model, copy, "--replace-plan");
    assertThat(replaced.out()).contains("copy.tflite has a plan");
    assertThat(replaced.err())
        .contains(
            "the plan in the model is replaced, although live tensors share memory in it:"
                + " input and result, at RESHAPE 0; an operator that relies on this fails");
    assertThat(CommandRun.of("check", copy).exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void rewrite_reorderedModel_staysAsItIs() throws IOException {
    Path first = folder.resolve("first.tflite");
    Path second = folder.resolve("second.tflite");
    rewrite(twoBranches(), first, "--reorder");
    CommandRun run = rewrite(first, second, "--reorder");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(second).hasSameBinaryContentAs(first);
  }

  @Test
  void rewrite_arenaBeyondTheLargestOffset_exits3AndWritesNothing() throws IOException {
    Path copy = folder.resolve("copy.tflite");

    CommandRun run = rewrite(reshape(400_000_000), copy);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .contains(
            "the tensors need an arena of 3200000000 bytes, expected at most 2147483647, the largest"
                + " one of TensorFlow Lite Micro");
    assertThat(copy).doesNotExist();
  }

  @Test
  void rewrite_interrupted_writesNothing() throws IOException {
    Path copy = folder.resolve("copy.tflite");

    CommandRun run = CommandRun.interrupted("rewrite", reshape(64), "--output", copy);

    assertThat(run.exitCode()).isEqualTo(143);
    assertThat(run.err()).contains("interrupted: not rewritten");
    assertThat(copy).doesNotExist();
  }

  @Test
  void check_planWithAMisalignedOffset_exits4() throws IOException {
    CommandRun run = CommandRun.of("check", planned(reshape(64), 264, 0));
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out())
        .contains(
            "not valid: 1 misaligned offset in an arena of 520 bytes with ",
            "offset 264 is not a multiple of 16");
  }

  @Test
  void check_planBeyondTheCapacity_exits4() throws IOException {
    Path model = planned(reshape(64), 256, 0);
    assertThat(CommandRun.of("check", model, "--capacity", "512").exitCode())
        .isEqualTo(ExitCode.DONE);
    CommandRun run = CommandRun.of("check", model, "--capacity", "511");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out()).contains("511");
  }

  @Test
  void checkAndRewrite_planForAnotherNumberOfTensors_exit3() throws IOException {
    Path model = planned(reshape(64), 256, 0);
    byte[] bytes = Files.readAllBytes(model);
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    // The plan starts with its version, the number of subgraphs and the number of tensors.
    int tensorCount = arena(model).tensorCount();
    int at = 0;
    while (words.getInt(at) != 1
        || words.getInt(at + 4) != 1
        || words.getInt(at + 8) != tensorCount) {
      at += 4;
    }
    words.putInt(at + 8, tensorCount + 1);
    Files.write(model, bytes);
    Path copy = folder.resolve("copy.tflite");
    for (CommandRun run : List.of(CommandRun.of("check", model), rewrite(model, copy))) {
      assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(run.err())
          .contains("metadata OfflineMemoryAllocation, buffer", "one for each tensor");
    }
    assertThat(copy).doesNotExist();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void rewrite_damagedModel_writesAValidPlanOrReportsTheError(long seed) throws IOException {
    Random random = new Random(seed);
    List<Path> models =
        List.of(
            planned(reshape(64), 256, 0),
            twoBranches(),
            SampleModels.examples().resolve("posenet.tflite"));
    List<List<String>> options = List.of(List.of(), List.of("--reorder"), List.of("--alias"));
    for (int i = 0; i < 10; i++) {
      byte[] model = Files.readAllBytes(models.get(random.nextInt(models.size())));
      Path damaged = Files.write(folder.resolve("damaged.tflite"), damaged(model, random));
      Path copy = folder.resolve("copy.tflite");
      Files.deleteIfExists(copy);
      String[] chosen = options.get(random.nextInt(options.size())).toArray(String[]::new);
      CommandRun run = rewrite(damaged, copy, chosen);
      if (run.exitCode() == ExitCode.BAD_INPUT) {
        assertThat(run.err()).startsWith("stowage: ").contains("expected");
        assertThat(copy).doesNotExist();
      } else {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
        if (run.out().contains("copy.tflite has a plan")) {
          assertThat(CommandRun.of("check", copy).exitCode()).isEqualTo(ExitCode.DONE);
        }
      }
      assertThat(partCount()).isZero();
    }
  }

  private static byte[] damaged(byte[] model, Random random) {
    if (random.nextInt(4) == 0) {
      return Arrays.copyOf(model, random.nextInt(model.length));
    }
    int[] critical = {0, 1, -1, 4, 0x7FFFFFFF, 0x80000000, 0x40000000, 0x10000};
    ByteBuffer words = ByteBuffer.wrap(model).order(ByteOrder.LITTLE_ENDIAN);
    for (int k = random.nextInt(3); k >= 0; k--) {
      int at = 8 + 4 * random.nextInt(model.length / 4 - 2);
      switch (random.nextInt(3)) {
        case 0 -> model[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> words.putInt(at, critical[random.nextInt(critical.length)]);
        default -> words.putInt(at, random.nextInt(model.length));
      }
    }
    return model;
  }

  private long partCount() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().endsWith(".part")).count();
    }
  }

  private static CommandRun rewrite(Path model, Path copy, String... options) {
    Stream<Object> fixed = Stream.of("rewrite", model, "--output", copy, "--time-limit", "0.1");
    return CommandRun.of(Stream.concat(fixed, Stream.of(options)).toArray());
  }

  private static MicroArena arena(Path model) throws IOException {
    return MicroArenaReader.read(model);
  }

  /** A model that reshapes a float input of this many elements. */
  private Path reshape(int elements) throws IOException {
    TfliteGraphBuilder graph = TfliteGraphBuilder.named("reshape");
    graph.output(graph.reshape("result", graph.input("input", 1, elements), elements, 1));
    Path model = folder.resolve("reshape.tflite");
    graph.writeTo(model);
    return model;
  }

  /** A model of two branches, of which one should end before the other one starts. */
  private Path twoBranches() throws IOException {
    TfliteGraphBuilder graph = TfliteGraphBuilder.named("branches");
    GraphTensor input = graph.input("input", 1, 4);
    GraphTensor a = graph.fullyConnected("a", input, 1000, Activation.NONE);
    GraphTensor b = graph.fullyConnected("b", input, 1000, Activation.NONE);
    GraphTensor c = graph.fullyConnected("c", a, 4, Activation.NONE);
    GraphTensor d = graph.fullyConnected("d", b, 4, Activation.NONE);
    graph.output(graph.concatenate("both", c, d));
    Path model = folder.resolve("branches.tflite");
    graph.writeTo(model);
    return model;
  }

  /** A copy of a model with these offsets of its planned tensors. */
  private Path planned(Path model, long... offsets) throws IOException {
    MicroArena arena = arena(model);
    OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(arena.problem(), offsets);
    Path copy = folder.resolve("planned.tflite");
    Files.deleteIfExists(copy);
    OfflinePlanWriter.write(model, arena.toOfflinePlan(plan), List.of(), copy);
    return copy;
  }
}
