package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.tflite.micro.EspNn;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Arenas of TensorFlow Lite Micro with the kernels of ESP-NN, from the plan to the device. */
class PlanKernelsTest {

  private static final Path DETECTOR = Path.of("examples/tflm/detector.tflite");
  private static final String KERNELS = "esp-nn-1.2.1@esp32s3";

  @TempDir private Path folder;

  private static CommandRun plan(Object... options) {
    return MicroPlanRun.planned(DETECTOR, options);
  }

  private static JsonNode tflm(Object... options) {
    Object[] all = Stream.concat(Stream.of(options), Stream.of("--format", "json")).toArray();
    return MicroPlanRun.json(plan(all)).get("tflm");
  }

  private Path planned() {
    Path planned = folder.resolve("planned.tflite");
    CommandRun.of("rewrite", DETECTOR, "--kernels", KERNELS, "--output", planned);
    return planned;
  }

  @Test
  void plan_withoutKernels_namesTheReferenceAndTheLargestArenaWithEspNn() throws IOException {
    assertThat(plan("--strategy", "OPTIMAL").out())
        .contains(
            "detector.tflite: TensorFlow Lite Micro with the reference kernels needs kTensorArenaSize = 32800 (32.031 KiB); with a plan in the file, 29344 are enough, 3,456 bytes less.\n"
                + "With ESP-NN on an ESP32-S3, it needs up to ");
    assertThat(tflm("--strategy", "OPTIMAL").get("kernels").asString()).isEqualTo("reference");
  }

  @Test
  void plan_kernels_areNamedInTheFirstLineAndInJson() throws IOException {
    CommandRun run = plan("--kernels", KERNELS, "--strategy", "OPTIMAL");

    assertThat(run.out())
        .startsWith(DETECTOR + ": TensorFlow Lite Micro with " + KERNELS + " needs ");
    assertThat(run.err())
        .contains(
            "the scratch buffers are those of esp-tflite-micro 1.4.0 with esp-nn-1.2.1@esp32s3, which it does not pin: dependencies.lock of the build names the version; no bound for 1.2.4 and later (builds of November 2026 take 1.5.0)\n");
    assertThat(tflm("--kernels", KERNELS).get("kernels").asString()).isEqualTo(KERNELS);
    assertThat(tflm("--kernels", "any@esp32s3").get("kernels").asString())
        .isEqualTo("esp-nn-1.0-beta@esp32s3");
  }

  @Test
  void plan_severalModels_namesTheKernelsAndTheLargestArenaWithEspNn() {
    Path planned = planned();

    assertThat(plan(planned, "--strategy", "TFLM_GREEDY").out())
        .startsWith(
            planned
                + " with the reference kernels needs the largest of 2 arenas: 52.500 KiB (53,760 bytes).\n"
                + "With ESP-NN on an ESP32-S3, "
                + planned
                + " needs up to 92224 (90.063 KiB, with esp-nn-1.0-beta@esp32s3): --kernels plans for it. Proved optimal: ");
    assertThat(plan(planned, "--kernels", KERNELS, "--strategy", "TFLM_GREEDY").out())
        .contains(" with " + KERNELS + " needs the largest of 2 arenas: 52.531 KiB (53,792 bytes).")
        .doesNotContain("With ESP-NN");
  }

  @Test
  void plan_fileWithItsPlan_tellsWhetherThePlanIsUsed() throws IOException {
    Path planned = planned();
    assertThat(MicroPlanRun.planned(planned, "--kernels", KERNELS).out())
        .contains(
            "\n\ninterpreter.arena_used_bytes() is 53784 with and without the plan; check --device-log tells whether the firmware uses it.\n");

    Path scratch = DETECTOR.resolveSibling("scratch.csv");
    CommandRun.of("rewrite", DETECTOR, "--scratch", scratch, "--output", planned);
    assertThat(MicroPlanRun.planned(planned, "--scratch", scratch).out())
        .contains(
            "\n\nThe firmware uses the plan if interpreter.arena_used_bytes() is 29336 instead of 32792.\n");
    assertThat(plan("--no-scratch", "--strategy", "NAIVE").out())
        .doesNotContain("arena_used_bytes()");
  }

  @Test
  void plan_csv_hasTheArenaOfEachPlanAndTheKernels() {
    assertThat(plan("--kernels", KERNELS, "--strategy", "TFLM_GREEDY", "--format", "csv").out())
        .contains(",head_bytes,tail_bytes,arena_bytes,kernels\n")
        .endsWith(",50336,3448,53792," + KERNELS + "\n");
  }

  @Test
  void plan_json_hasPartsThatAddUpToTheTail() throws IOException {
    for (Object[] options : new Object[][] {{}, {"--kernels", KERNELS}}) {
      JsonNode arena = tflm(options).get("arena");
      long sum = 0;
      for (JsonNode part : arena.get("tail")) {
        sum += part.get("bytes").asLong();
      }
      assertThat(sum).isEqualTo(arena.get("tail_bytes").asLong());
      assertThat(arena.get("tail").get(arena.get("tail").size() - 1).get("part").asString())
          .isEqualTo("after_plan");
    }
  }

  @Test
  void plan_unknownKernels_exits2WithTheWayToScratch() {
    CommandRun run = plan("--kernels", "cmsis-nn");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains(
            "the scratch buffers of 'cmsis-nn' are unknown; log them on the device and use --scratch FILE; ");
    assertThat(plan("--kernels", KERNELS, "--no-scratch").err())
        .contains("--kernels and --no-scratch contradict each other; omit one");
    assertThat(CommandRun.of("plan", DETECTOR, "--kernels", KERNELS).err())
        .contains("--kernels needs --runtime tflm; add it, or omit --kernels");
  }

  @Test
  void plan_pageOfSeveralModels_keepsTheKernelsInItsCommand() throws IOException {
    Path page = folder.resolve("all.html");
    CommandRun run =
        CommandRun.of(
            "plan",
            DETECTOR,
            planned(),
            "--runtime",
            "tflm",
            "--kernels",
            KERNELS,
            "--strategy",
            "TFLM_GREEDY",
            "--output",
            page);

    assertThat(run.out()).contains("kTensorArenaSize   bytes  with a plan    head   tail\n");
    assertThat(Files.readString(page))
        .contains("--runtime tflm --kernels " + KERNELS + " --strategy TFLM_GREEDY --explain");
  }

  @Test
  void rewrite_agreesWithPlanOnTheArena() throws IOException {
    Path planned = folder.resolve("planned.tflite");
    CommandRun run =
        CommandRun.of(
            "rewrite", DETECTOR, "--kernels", KERNELS, "--output", planned, "--format", "json");

    JsonNode json = MicroPlanRun.json(run);
    JsonNode tflm = tflm("--kernels", KERNELS);
    assertThat(json.get("kernels").asString()).isEqualTo(KERNELS);
    assertThat(json.get("arena_before")).isEqualTo(size(tflm.get("arena")));
    assertThat(json.get("arena_after")).isEqualTo(size(tflm.get("best_arena")));
    assertThat(json.get("file_size_after").asLong()).isEqualTo(Files.size(planned));
  }

  private static JsonNode size(JsonNode arena) {
    ((ObjectNode) arena).remove("tail");
    return arena;
  }

  @Test
  void rewrite_kernels_areNamed() {
    Path planned = folder.resolve("planned.tflite");

    assertThat(CommandRun.of("rewrite", DETECTOR, "--kernels", KERNELS, "--output", planned).out())
        .startsWith(
            planned
                + " has a plan and needs kTensorArenaSize = 53792 with "
                + KERNELS
                + ", as the original. ");
    assertThat(CommandRun.of("rewrite", DETECTOR, "--output", planned).out())
        .startsWith(
            planned
                + " has a plan and needs kTensorArenaSize = 29344 with the reference kernels, ");
  }

  @Test
  void rewrite_outputOfAHeader_isRefused() {
    CommandRun run = CommandRun.of("rewrite", DETECTOR, "--output", folder.resolve("p.h"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("expected a name that ends in .tflite\n");
    assertThat(folder.resolve("p.h")).doesNotExist();
  }

  @Test
  void check_capacities_areThoseOfTheArenaAndOfTheHead() {
    Path planned = planned();

    CommandRun arena = check(planned, "--capacity", "20KiB");
    assertThat(arena.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(arena.out()).startsWith(planned + ": the arena needs ");
    CommandRun head = check(planned, "--capacity", "64KiB", "--head-capacity", "1KiB");
    assertThat(head.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(head.out()).startsWith(planned + ": the head needs ");
    assertThat(check(planned, "--capacity", "64KiB").exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void check_verdict_hasTheHeadAndTheArenaWithItsKernels() throws IOException {
    Path planned = planned();
    String verdict =
        planned + ": valid: a head of 49.156 KiB (50,336 bytes) with 16 tensors over 17 tasks; ";

    assertThat(check(planned).out())
        .startsWith(
            verdict
                + "TensorFlow Lite Micro with "
                + KERNELS
                + " needs kTensorArenaSize = 53792.\n");
    assertThat(CommandRun.of("check", planned, "--runtime", "tflm").out())
        .startsWith(
            verdict
                + "TensorFlow Lite Micro with the reference kernels needs kTensorArenaSize = 53760.\n");
    assertThat(MicroPlanRun.json(check(planned, "--format", "json")).at("/tflm/kernels").asString())
        .isEqualTo(KERNELS);
  }

  private static CommandRun check(Path planned, Object... options) {
    return CommandRun.of(
        Stream.concat(
                Stream.of("check", planned, "--runtime", "tflm", "--kernels", KERNELS),
                Stream.of(options))
            .toArray());
  }

  @Test
  void check_deviceLog_comparesThePlacesOnTheDevice() throws IOException {
    Path planned = planned();
    MicroArena arena = MicroArenaReader.read(planned).withKernels(EspNn.named(KERNELS));
    List<TensorUsageRecord> buffers = arena.runTimeBuffers(arena.filePlan());
    StringBuilder log = new StringBuilder("I (312) boot: ready\n");
    for (int i = 0; i < buffers.size(); i++) {
      boolean isScratch = buffers.get(i).name().startsWith("scratch");
      log.append(
          String.format(
              Locale.ROOT,
              "buffer,%d,%d,%d\n",
              i,
              buffers.get(i).bytes(),
              isScratch ? -1 : buffers.get(i).pinnedOffset().orElseThrow()));
    }
    for (int i = 0; i < buffers.size(); i++) {
      log.append(
          String.format(
              Locale.ROOT, "placed,%d,%d\n", i, buffers.get(i).pinnedOffset().orElseThrow()));
    }
    Path same = Files.writeString(folder.resolve("same.log"), log);
    assertThat(check(planned, "--device-log", same).out())
        .contains("The device places all " + buffers.size() + " buffers as planned.\n");

    log.append("placed,0,48000\nbuffer,").append(buffers.size()).append(",64,-1\n");
    Path other = Files.writeString(folder.resolve("other.log"), log);
    CommandRun run = check(planned, "--device-log", other);
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out())
        .startsWith(
            planned
                + ": the device differs from the plan in 2 buffers of "
                + buffers.size()
                + ".\n")
        .contains("elsewhere", "not planned");

    Path none = Files.writeString(folder.resolve("none.log"), "buffer,0,64,-1\nplaced,0,0\n");
    assertThat(check(planned, "--device-log", none).out())
        .startsWith(planned + ": the device does not use the plan: ");
    assertThat(check(planned, "--device-log", DETECTOR.resolveSibling("scratch.csv")).err())
        .contains("expected those of PlacementLog in examples/tflm/scratch_log.h");
  }

  @Test
  void diff_runtime_comparesArenas() throws IOException {
    CommandRun run =
        CommandRun.of(
            "diff",
            DETECTOR,
            planned(),
            "--runtime",
            "tflm",
            "--kernels",
            KERNELS,
            "--format",
            "json");

    JsonNode json = MicroPlanRun.json(run);
    JsonNode tflm = tflm("--kernels", KERNELS);
    assertThat(json.get("bytes_a").asLong()).isEqualTo(tflm.get("arena").get("bytes").asLong());
    assertThat(json.get("bytes_b").asLong())
        .isEqualTo(tflm.get("best_arena").get("bytes").asLong());
  }
}
