package dev.stowage.cli;

import static dev.stowage.cli.MicroPlanRun.json;
import static dev.stowage.cli.MicroPlanRun.planned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.OrderedMicro;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.lite.schema.TensorType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tensor arenas of TensorFlow Lite Micro. */
class PlanCommandRuntimeTest {

  @TempDir Path folder;
  private Path model;

  @BeforeEach
  void writeModel() throws IOException {
    model = MicroPlanRun.writeModel(folder);
  }

  @Test
  void plan_runtime_plansTheCompleteArena() {
    CommandRun run = planned(model, "--no-scratch", "--strategy", "OPTIMAL");

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                0,
                """
                %s: TensorFlow Lite Micro needs kTensorArenaSize = 928. None of these plans saves memory.
                Proved: no plan is smaller. The size of the arena is an estimate.

                ARENA of TFLM         bytes         head  tail  to start
                  without a plan        928  928 B   384   536         8
                  with the best plan    928  928 B   384   536         8

                TAIL by part                       bytes  smaller with
                  interpreter                        132  one interpreter for all models
                  tensors and operators              144  fewer of both, also of constants
                  data of operators                  156  fewer operators
                  after the plan: inputs, outputs    104  fewer inputs and outputs

                The head holds 4 tensors over 4 tasks, 416 B if nothing is shared.

                OFFSETS in one arena  bytes         over bound
                  OPTIMAL               384  384 B     optimal
                  lower bound           384  384 B
                """
                    .formatted(model),
                ""));
  }

  @Test
  void plan_fileWithTheBestPlan_saysWhatItSaves() {
    Path detector = Path.of("examples/tflm/detector.tflite");
    Path scratch = Path.of("examples/tflm/scratch.csv");
    Path best = folder.resolve("best.tflite");
    CommandRun.of("rewrite", detector, "--scratch", scratch, "--output", best);

    assertThat(planned(best, "--scratch", scratch, "--strategy", "OPTIMAL").out())
        .contains("(28.656 KiB). None of these plans saves memory.\nProved: no plan is smaller.");
  }

  @Test
  void plan_withoutScratch_notesTheOperatorsThatUsuallyNeedSome() {
    CommandRun run = planned(model);

    assertThat(run.err())
        .isEqualTo(
            """
            stowage: note: %s: the scratch buffers, which operators need while they run, are those of the reference kernels; these operators may need others: MEAN 1; --kernels or --scratch FILE adds the sizes, --no-scratch states that there are none
            """
                .formatted(model));
  }

  @Test
  void plan_severalModels_areComparedInOneTable() throws IOException {
    Path planned = folder.resolve("planned.tflite");
    CommandRun.of("rewrite", model, "--output", planned);
    CommandRun run =
        CommandRun.of(
            "plan", model, planned, "--runtime", "tflm", "--no-scratch", "--strategy", "NAIVE");

    assertThat(run.out())
        .isEqualTo(
            """
            %s needs the largest of 2 arenas: 928 bytes.
            Proved optimal: 0 of 2 plans.

            kTensorArenaSize  bytes  with a plan  head  tail
              net               928          928   384   536
              planned           928          928   384   536
            """
                .formatted(model));
  }

  @Test
  void plan_reorderOfOperatorsThatCallSubgraphs_searchesTheirOrders() throws IOException {
    Path calls = Files.write(folder.resolve("calls.tflite"), CallingModel.bytes());

    CommandRun run = planned(calls, "--no-scratch", "--reorder", "--format", "json");

    assertThat(run.exitCode()).isEqualTo(0);
    JsonNode order = json(run).get("reorder");
    assertThat(order.get("reordered").asBoolean()).isFalse();
    assertThat(order.get("bytes_after").asLong()).isEqualTo(48);
    assertThat(order.get("optimal").asBoolean()).isTrue();
  }

  /** A record of the graph is not that of a tensor, although there are as many of both. */
  @Test
  void inOrder_ofOperatorsThatCallSubgraphs_hasTheirTensors() throws IOException {
    Path calls = Files.write(folder.resolve("calls.tflite"), CallingModel.callOnceAndIf());
    MicroArena arena = MicroArenaReader.read(calls);
    OrderedModel ordered = OrderedModel.of(OrderedMicro.of(calls, arena).orElseThrow());

    assertThat(ordered.problem().records()).hasSameSizeAs(arena.problem().records());
    assertThat(ordered.records().orElseThrow().inOrder(List.of(0, 1, 2)))
        .isEqualTo(arena.problem());
  }

  /** 41,472 bytes are the head of the model that {@code rewrite --reorder} writes. */
  @Test
  void plan_reorderOfARealModelWithCalls_findsTheOrderOfRewrite() {
    Optional<Path> lyra = SampleModels.find("models/tflite/lyra_soundstream_encoder.tflite");
    if (lyra.isPresent()) {
      JsonNode report =
          json(
              planned(
                  lyra.get(),
                  "--no-scratch",
                  "--reorder",
                  "--strategy",
                  "OPTIMAL",
                  "--format",
                  "json"));
      assertThat(report.get("reorder").get("bytes_before").asLong()).isEqualTo(45_568);
      assertThat(report.get("reorder").get("bytes_after").asLong()).isEqualTo(41_472);
      assertThat(report.get("tflm").get("best_arena").get("head_bytes").asLong()).isEqualTo(41_472);
    }
  }

  @Test
  void plan_alias_letsReshapeWorkInPlace() {
    CommandRun run =
        planned(model, "--alias", "--no-scratch", "--strategy", "OPTIMAL", "--format", "json");

    JsonNode report = json(run);
    assertThat(report.get("records").get(1).get("in_place_of").asString()).isEqualTo("0");
    assertThat(report.get("plans").get(0).get("total_bytes").asLong()).isEqualTo(208);
    assertThat(report.get("plans").get(0).get("head_bytes").asLong()).isEqualTo(208);
    assertThat(report.get("tflm").get("best_head_bytes").asLong()).isEqualTo(208);
    assertThat(report.get("tflm").get("without_plan_bytes").asLong()).isEqualTo(384);
  }

  @Test
  void plan_scratch_isPlannedAndPlacedAroundThePlan() throws IOException {
    Path scratch =
        Files.writeString(folder.resolve("scratch.csv"), "subgraph,operator,bytes\n0,1,100\n");
    CommandRun run = planned(model, "--scratch", scratch, "--format", "json");

    assertThat(run.err()).isEmpty();
    JsonNode report = json(run);
    assertThat(report.get("records").get(4).toString())
        .isEqualTo(
            "{\"id\":\"scratch0\",\"name\":\"scratch of operator 1\",\"bytes\":112,\"first_task\":2,\"last_task\":2,\"producer\":2,\"consumers\":[]}");
    assertThat(report.get("tflm").get("scratch_known").asBoolean()).isTrue();
    assertThat(report.get("lower_bounds").get("offsets").asLong()).isEqualTo(384);
    for (JsonNode plan : report.get("plans")) {
      assertThat(plan.get("head_bytes").asLong())
          .isLessThanOrEqualTo(plan.get("total_bytes").asLong());
    }
  }

  @Test
  void plan_filePlan_isARowAndItsOverlapsAreReported() throws IOException {
    Path planned = folder.resolve("planned.tflite");
    CommandRun.of("rewrite", model, "--output", planned);
    JsonNode figures =
        json(planned(planned, "--no-scratch", "--format", "json", "--strategy", "NAIVE"))
            .get("tflm");
    assertThat(figures.get("file_plan_bytes").asLong()).isEqualTo(384);
    assertThat(figures.get("file_plan_valid").asBoolean()).isTrue();

    Path overlapping = SampleModels.folder("models/tflite").resolve("person_detect_vela.tflite");
    CommandRun run = planned(overlapping, "--no-scratch", "--strategy", "OPTIMAL");
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: note: %s: live tensors overlap in the plan in the file, on purpose or by mistake: _split_1_scratch and _split_1_scratch_fast, from the start
            """
                .formatted(overlapping));
    assertThat(run.out())
        .contains("  OPTIMAL             158,160  154.453 KiB     optimal\n")
        .contains(
            "(73.203 KiB). The plan in the file is kept, because live tensors overlap in it; rewrite --replace-plan replaces it.\n")
        .containsPattern("  in the file +74,960 +73.203 KiB +74,464 +492 +4 +overlaps\n");
  }

  /** The records and heads of an independent program, and heads that the interpreter reports. */
  @Test
  void plan_realModels_haveTheExpectedHeads() throws IOException {
    for (Path models : SampleModels.folders("models/tflite")) {
      assertHaveTheExpectedHeads(models);
    }
  }

  private static void assertHaveTheExpectedHeads(Path models) throws IOException {
    JsonNode expected =
        JsonMapper.shared().readTree(Files.readString(models.resolve("tflm_expected.json")));
    for (Map.Entry<String, JsonNode> file : expected.properties()) {
      JsonNode report =
          json(
              planned(
                  models.resolve(file.getKey()),
                  "--no-scratch",
                  "--strategy",
                  "OPTIMAL",
                  "--format",
                  "json"));
      JsonNode figures = report.get("tflm");
      JsonNode model = file.getValue();
      assertThat(report.get("records").size() + figures.get("unused_tensors").intValue())
          .as(file.getKey())
          .isEqualTo(model.get("records").intValue());
      assertThat(report.get("plans").get(0).get("total_bytes").longValue())
          .as(file.getKey())
          .isEqualTo(model.get("head_bytes").longValue());
      if (model.has("untouched_bytes")) {
        assertThat(figures.get("without_plan_bytes").longValue())
            .isEqualTo(model.get("untouched_bytes").longValue());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--kind objects, '--runtime needs offsets, which --kind objects does not plan; omit it'",
    "--alignment 24, '--alignment is 24, expected a multiple of 16 with --runtime tflm, or no --alignment'",
    "--alignment 0, '--alignment is 0, expected 1 or more bytes'",
    "--bank name=a, '--runtime has no effect on the plans of several memories (--bank); omit it'",
    "--no-scratch --scratch=s.csv, '--scratch and --no-scratch contradict each other; omit one'",
    "--scratch=s.csv b.tflite, '--scratch is of one FILE, but there are 2'",
  })
  void plan_optionsThatContradictTheRuntime_exit2(String options, String message) {
    CommandRun run = planned(model, (Object[]) options.split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--scratch", "--no-scratch"})
  void plan_scratchWithoutRuntime_exits2(String option) {
    CommandRun run =
        option.equals("--scratch")
            ? CommandRun.of("plan", model, option, "s.csv")
            : CommandRun.of("plan", model, option);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith(
            "stowage: %s needs --runtime tflm; add it, or omit %s\n".formatted(option, option));
  }

  @Test
  void plan_otherFilesWithRuntime_exit3AndTheModelIsPlanned() throws IOException {
    Path problem = Files.writeString(folder.resolve("p.csv"), "id,lower,upper,size\na,0,2,8\n");
    CommandRun run =
        CommandRun.of("plan", problem, model, "--runtime", "tflm", "--strategy", "NAIVE");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .startsWith(
            "stowage: %s: is not a .tflite model, which --runtime tflm needs; omit --runtime\n"
                .formatted(problem));
    assertThat(run.out()).contains("6 tensors"); // two are scratch buffers
  }

  @ParameterizedTest
  @ValueSource(strings = {"batch=2", "batch=1..32"})
  void plan_dimensions_areNotedAsUnknown(String dimension) {
    CommandRun run = planned(model, "--no-scratch", "--strategy", "OPTIMAL", "--dim", dimension);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: %s: the model has no open dimension named batch; .tflite models have no open dimensions; omit --dim\n"
                .formatted(model));
  }

  @Test
  void plan_capacityBelowTheHead_exits4() throws IOException {
    TfliteGraphBuilder net = TfliteGraphBuilder.named("net");
    net.inputOf("state", TensorType.RESOURCE, 1);
    net.input("other", 1, 2, 2, 1);
    net.output(net.mean("result", net.input("image", 1, 2, 2, 1)));
    net.writeTo(model);
    CommandRun run =
        planned(model, "--no-scratch", "--strategy", "OPTIMAL", "--head-capacity", "32");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .endsWith(
            "stowage: %s: no head within 32 bytes: the smallest one needs 48 bytes, 16 B too many; not proved: the lower bound is 32\n"
                .formatted(model));
    CommandRun enough =
        planned(model, "--no-scratch", "--strategy", "OPTIMAL", "--head-capacity", "48");
    assertThat(enough.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(enough.err()).doesNotContain("too many");
    assertThat(planned(model, "--no-scratch", "--strategy", "OPTIMAL", "--capacity", "687").err())
        .endsWith(
            "stowage: %s: no arena (kTensorArenaSize) within 687 bytes: the smallest one needs 688 bytes, 1 B too many; not proved: the lower bound is 488\n"
                .formatted(model));
  }

  @Test
  void plan_scratchExplained_hasTheBytesWithoutIt() throws IOException {
    Path scratch =
        Files.writeString(folder.resolve("scratch.csv"), "subgraph,operator,bytes\n0,0,100\n");
    assertThat(planned(model, "--scratch", scratch, "--explain").out())
        .contains("\n--scratch: in use; 384 bytes without it (-22.6 %)\n");
  }

  @Test
  void plan_reorder_comparesTheOrdersOfTheWholeArena() {
    JsonNode report = json(planned(model, "--no-scratch", "--reorder", "--format", "json"));
    assertThat(report.get("reorder").get("bytes_before").asLong()).isEqualTo(384);
    assertThat(report.get("reorder").get("bytes_after").asLong()).isEqualTo(384);
    assertThat(report.get("reorder").get("lower_bound_bytes").asLong()).isEqualTo(384);
  }

  @Test
  void plan_scratchOfNoOperator_exits3() throws IOException {
    Path scratch =
        Files.writeString(folder.resolve("scratch.csv"), "subgraph,operator,bytes\n0,3,100\n");
    CommandRun run = planned(model, "--scratch", scratch);
    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: %s: --scratch: the model has no operator 3 in subgraph 0\n"
                    .formatted(model)));
  }

  /** The sizes that the reference kernels request, and the heads that the interpreter reports. */
  @Test
  void plan_scratchOfRealKernels_hasTheHeadsOfTheInterpreter() throws IOException {
    Path models = SampleModels.folder("models/tflite");
    Path speech =
        Files.writeString(
            folder.resolve("speech.csv"),
            """
            subgraph,operator,bytes
            0,1,256
            0,1,256
            0,3,256
            0,3,256
            0,5,256
            0,5,256
            0,7,256
            0,7,256
            0,9,128
            0,9,128
            0,10,128
            0,10,128
            0,11,128
            0,11,128
            """);
    JsonNode figures =
        json(planned(
                models.resolve("keyword_scrambled_8bit.tflite"),
                "--scratch",
                speech,
                "--format",
                "json"))
            .get("tflm");
    assertThat(figures.get("without_plan_bytes").intValue()).isEqualTo(672);
    assertThat(figures.get("tensors_alone_head_bytes").intValue()).isEqualTo(800);
    assertThat(figures.get("best_head_bytes").intValue()).isEqualTo(672);
    JsonNode reference =
        json(planned(models.resolve("keyword_scrambled_8bit.tflite"), "--format", "json"))
            .get("tflm");
    for (String key : List.of("without_plan_bytes", "best_head_bytes", "arena", "best_arena")) {
      assertThat(reference.get(key)).as(key).isEqualTo(figures.get(key));
    }

    Path lstm =
        Files.writeString(
            folder.resolve("lstm.csv"), "subgraph,operator,bytes\n" + "0,0,40\n".repeat(4));
    figures =
        json(planned(
                models.resolve("trained_lstm_int8.tflite"), "--scratch", lstm, "--format", "json"))
            .get("tflm");
    assertThat(figures.get("without_plan_bytes").intValue()).isEqualTo(1536);
    assertThat(figures.get("best_head_bytes").intValue()).isEqualTo(1536);
  }
}
