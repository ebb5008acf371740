package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.budget.ModelBudget;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Budgets of models: parts, limits, fits, profiles and formats. */
final class BudgetCommandTest {

  private static final String MODEL = "examples/tiny_cnn.onnx";
  private static final String MICRO = "examples/tflm/detector.tflite";

  @TempDir private Path folder;

  private static List<JsonNode> json(Object... arguments) {
    Object[] all = new Object[arguments.length + 3];
    all[0] = "budget";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--format";
    all[arguments.length + 2] = "json";
    CommandRun run = CommandRun.of(all);
    assertThat(run.exitCode()).as("%s", run.err()).isEqualTo(ExitCode.DONE);
    JsonMapper mapper = new JsonMapper();
    return run.out().lines().map(mapper::readTree).toList();
  }

  private static long sum(JsonNode budget, String key) {
    long sum = 0;
    for (JsonNode part : budget.get("parts")) {
      sum += part.get(key).asLong();
    }
    return sum;
  }

  private static long predicted(JsonNode budget) {
    return budget.get("predicted_bytes").asLong();
  }

  private static JsonNode part(JsonNode budget, String name) {
    for (JsonNode part : budget.get("parts")) {
      if (part.get("name").asString().equals(name)) {
        return part;
      }
    }
    throw new AssertionError("there is no part " + name);
  }

  /** Copies a model that expands a value to {@code batch * (48 - batch) * 65,536} floats. */
  private Path largestBetween() throws IOException {
    Path model = folder.resolve("model.onnx");
    try (InputStream in =
        Objects.requireNonNull(getClass().getResourceAsStream("largest-between.onnx"))) {
      Files.copy(in, model);
    }
    return model;
  }

  @Test
  void budget_largestShapeWithinARange_isAmongTheShapes() throws IOException {
    Path model = largestBetween();

    List<JsonNode> range = json(model, "--dim", "batch=1..40");
    List<JsonNode> list = json(model, "--dim", "batch=1,40");

    JsonNode largest =
        range.stream().max(Comparator.comparingLong(BudgetCommandTest::predicted)).orElseThrow();
    assertThat(largest.get("dimensions").get("batch").asLong()).isEqualTo(24);
    assertThat(list).hasSize(2);
  }

  @Test
  void budget_oneShape_isTheSumOfItsParts() {
    JsonNode budget = json(MODEL, "--dim", "batch=2").getFirst();

    assertThat(budget.get("input").asString()).isEqualTo(MODEL);
    assertThat(budget.get("dimensions").get("batch").asLong()).isEqualTo(2);
    assertThat(budget.get("sessions").asInt()).isOne();
    assertThat(budget.get("threads").asInt()).isOne();
    assertThat(budget.get("measured_bytes").isNull()).isTrue();
    assertThat(budget.get("fits").asBoolean()).isTrue();
    long predicted = budget.get("predicted_bytes").asLong();
    assertThat(sum(budget, "bytes")).isEqualTo(predicted);
    assertThat(sum(budget, "loading_bytes")).isEqualTo(budget.get("loading_bytes").asLong());
    assertThat(sum(budget, "running_bytes")).isEqualTo(budget.get("running_bytes").asLong());
    assertThat(predicted)
        .isEqualTo(
            Math.max(budget.get("loading_bytes").asLong(), budget.get("running_bytes").asLong()));
    // 2 x 3 x 32 x 32 floats
    assertThat(part(budget, "inputs").get("how").asString()).isEqualTo("computed");
    assertThat(part(budget, "engine").get("how").asString()).isEqualTo("calibrated");
  }

  @Test
  void budget_moreSessions_multipliesThePartsOfSessions() {
    JsonNode one = json(MODEL, "--dim", "batch=1").getFirst();
    JsonNode four = json(MODEL, "--dim", "batch=1", "--sessions", "4").getFirst();

    for (String name : List.of("weights", "session", "inputs", "outputs")) {
      assertThat(part(four, name).get("running_bytes").asLong())
          .as(name)
          .isEqualTo(4 * part(one, name).get("running_bytes").asLong());
    }
    assertThat(part(four, "engine")).isEqualTo(part(one, "engine"));
  }

  @Test
  void budget_moreThreads_addsThreadsBeyondTheCallers() {
    JsonNode budget =
        json(MODEL, "--dim", "batch=1", "--sessions", "2", "--threads", "3").getFirst();

    assertThat(part(budget, "thread").get("bytes").asLong()).isEqualTo(4 * 256 * 1024);
  }

  @Test
  void budget_heap_addsTheJavaProcess() {
    JsonNode without = json(MODEL, "--dim", "batch=1").getFirst();
    JsonNode with = json(MODEL, "--dim", "batch=1", "--jvm-heap", "64MiB").getFirst();

    assertThat(part(with, "JVM heap").get("bytes").asLong()).isEqualTo(64L << 20);
    assertThat(with.get("predicted_bytes").asLong())
        .isEqualTo(
            without.get("predicted_bytes").asLong()
                + (64L << 20)
                + part(with, "JVM").get("bytes").asLong());
  }

  @Test
  void budget_rangesAndLists_haveALineForEachPoint() {
    assertThat(json(MODEL, "--dim", "batch=1..6"))
        .extracting(budget -> budget.get("dimensions").get("batch").asLong())
        .containsExactly(1L, 2L, 4L, 6L);
    assertThat(json(MODEL, "--dim", "batch=9,3"))
        .extracting(budget -> budget.get("dimensions").get("batch").asLong())
        .containsExactly(3L, 9L);
  }

  @Test
  void budget_limitBetweenShapes_saysWhichFit() {
    List<JsonNode> all = json(MODEL, "--dim", "batch=1,512");
    long limit = all.getLast().get("predicted_bytes").asLong() - 1;

    assertThat(json(MODEL, "--dim", "batch=1,512", "--limit", limit))
        .extracting(budget -> budget.get("fits").asBoolean())
        .containsExactly(true, false);
  }

  @Test
  void budget_noShapeFits_exits4() {
    CommandRun run = CommandRun.of("budget", MODEL, "--dim", "batch=1,2", "--limit", "1MiB");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    long smallest = json(MODEL, "--dim", "batch=1").getFirst().get("predicted_bytes").asLong();
    assertThat(run.err())
        .endsWith(
            "stowage: examples/tiny_cnn.onnx: no shape fits into the limit of 1.000 MiB (1,048,576 bytes); the smallest budget, at batch=1, is "
                + ByteUnit.sentence(smallest - (1 << 20))
                + " above it\n");
    assertThat(run.out()).contains("does not fit");
  }

  @Test
  void budget_fit_isTheLargestSizeWithinTheLimit() throws IOException {
    Path file = folder.resolve("profile");
    JsonNode first = json(MODEL, "--dim", "batch=1..512", "--profile", file).getLast();
    long limit = first.get("predicted_bytes").asLong() - (4L << 20);
    JsonNode fit =
        json(MODEL, "--dim", "batch=1..512", "--limit", limit, "--fit", "batch")
            .getFirst()
            .get("fit");
    long largest = fit.get("largest").asLong();

    assertThat(fit.get("name").asString()).isEqualTo("batch");
    ModelBudget budget = ModelBudget.parse(Files.readString(file));
    assertThat(budget.at(DimensionValues.of("batch", largest), 1, 1).highestBytes())
        .isLessThanOrEqualTo(limit);
    assertThat(budget.at(DimensionValues.of("batch", largest + 1), 1, 1).highestBytes())
        .isGreaterThan(limit);
  }

  @Test
  void budget_fitWithSmallerSizesThatDoNotFit_namesThem() throws IOException {
    CommandRun run =
        CommandRun.of(
            "budget",
            largestBetween(),
            "--dim",
            "batch=1..40",
            "--limit",
            "400MiB",
            "--fit",
            "batch");

    assertThat(run.out())
        .contains("is 40, the largest that was tried; not all smaller ones fit, those up to 8 do.");
  }

  @Test
  void budget_ofAMicrocontroller_hasNoRulesOfServicesAndNoOptionsOfPlan() {
    CommandRun run = CommandRun.of("budget", MICRO);

    assertThat(run.out())
        .contains(
            "unknown: the scratch buffers, which operators need while they run, are those of the reference kernels")
        .doesNotContain("RULES OF SERVICES", "--scratch");
  }

  @Test
  void budget_rejectedShapeOfARange_isNamed() throws IOException {
    // 48 - batch is negative.
    CommandRun run = CommandRun.of("budget", largestBetween(), "--dim", "batch=1,49");

    assertThat(run.out() + run.err()).contains("at batch=49: ");
  }

  @Test
  void budget_fitSessions_isTheLargestCountWithinTheLimit() {
    long one = json(MODEL, "--dim", "batch=1").getFirst().get("predicted_bytes").asLong();
    long two =
        json(MODEL, "--dim", "batch=1", "--sessions", "2")
            .getFirst()
            .get("predicted_bytes")
            .asLong();
    JsonNode budget =
        json(MODEL, "--dim", "batch=1", "--limit", two + (two - one), "--fit", "sessions")
            .getFirst();

    assertThat(budget.get("fit").get("largest").asLong()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void profile_atThePointsOfTheGrid_hasThePredictedBytes() throws IOException {
    Path file = folder.resolve("profile");
    List<JsonNode> budgets =
        json(MODEL, "--dim", "batch=1..8", "--profile", file, "--sessions", "3");
    ModelBudget profile = ModelBudget.parse(Files.readString(file));

    for (JsonNode budget : budgets) {
      DimensionValues shape =
          DimensionValues.of("batch", budget.get("dimensions").get("batch").asLong());
      assertThat(profile.at(shape, 3, 1).highestBytes())
          .isEqualTo(budget.get("predicted_bytes").asLong());
    }
  }

  @Test
  void budget_evidence_separatesProofsFromSamples() {
    assertThat(json(MODEL, "--dim", "batch=1..8").getFirst().get("evidence"))
        .extracting(evidence ->
            evidence.get("kind").asString() + ": " + evidence.get("sentence").asString())
        .containsExactly(
            "proved: weights and their packed copies do not depend on dimensions",
            "sampled: activations, workspace, inputs and outputs were computed at 4 shapes and are interpolated between them");
  }

  @Test
  void budget_micro_isTheArenaOfTensorFlowLiteMicro() {
    CommandRun run = CommandRun.of("budget", MICRO, "--sessions", "2", "--format", "csv");

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.DONE,
                """
                input,dimensions,sessions,threads,part,how,loading_bytes,running_bytes,bytes,cpu,confidence
                examples/tflm/detector.tflite,,2,1,model file,computed,22624,22624,22624,,exact
                examples/tflm/detector.tflite,,2,1,arena head,computed,58752,58752,58752,,exact
                examples/tflm/detector.tflite,,2,1,arena tail,calibrated,6832,6832,6832,,estimate
                examples/tflm/detector.tflite,,2,1,arena to start,calibrated,16,16,16,,estimate
                examples/tflm/detector.tflite,,2,1,predicted,,88224,88224,88224,,estimate
                """,
                ""));
  }

  @Test
  void budget_micro_hasTheArenaOfPlan() {
    CommandRun plan = CommandRun.of("plan", MICRO, "--runtime", "tflm", "--format", "json");
    CommandRun budget = CommandRun.of("budget", MICRO, "--format", "csv");

    long arenaBytes = JsonMapper.shared().readTree(plan.out()).at("/tflm/arena/bytes").longValue();
    assertThat(
            budget
                .out()
                .lines()
                .filter(line -> line.contains(",arena "))
                .mapToLong(line -> Long.parseLong(line.split(",", -1)[8]))
                .sum())
        .isEqualTo(arenaBytes)
        .isEqualTo(32_800);
  }

  @Test
  void budget_microWithOptionsOfEngines_notesThatTheyHaveNoEffect() {
    CommandRun run =
        CommandRun.of("budget", MICRO, "--dim", "batch=1..4", "--measure", "--format", "k8s");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: note: examples/tflm/detector.tflite: the model has no open dimension named batch; .tflite models have no open dimensions; omit --dim
            stowage: note: examples/tflm/detector.tflite: --measure runs .onnx models only; this model is not measured
            stowage: note: examples/tflm/detector.tflite: unknown: the scratch buffers, which operators need while they run, are those of the reference kernels; these operators may need others: TRANSPOSE_CONV 11, MEAN 12; CONV_2D 0, CONV_2D 1, DEPTHWISE_CONV_2D 2 and 7 more, if their kernels are optimized ones
            """);
  }

  @Test
  void budget_kubernetesOfSeveralModels_hasADocumentForEach() {
    CommandRun run = CommandRun.of("budget", MICRO, MODEL, "--dim", "batch=1", "--format", "k8s");

    assertThat(run.out().split("---\n", -1))
        .hasSize(2)
        .allMatch(document -> document.startsWith("# examples/"))
        .allMatch(document -> document.contains("\nresources:\n"));
  }

  @Test
  void budget_tensorsThatNoProcessCanAddress_exits3() {
    CommandRun run = CommandRun.of("budget", MODEL, "--dim", "batch=100000000000");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .contains(
            "tensor '", "' has more than 2^47 bytes (128 TiB), expected smaller dimensions: shape");
  }

  @Test
  void budget_textFile_exits3WithTheMessageOfTheReader() throws IOException {
    Path file = Files.writeString(folder.resolve("text.onnx"), "hello\n");

    CommandRun run = CommandRun.of("budget", file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("is damaged or of another format, expected an ONNX model");
  }

  @Test
  void budget_sizeThatFitsBesideShapesThatDoNot_exits0() {
    long one = json(MODEL, "--dim", "batch=1").getFirst().get("predicted_bytes").asLong();
    CommandRun run =
        CommandRun.of(
            "budget",
            MODEL,
            "--dim",
            "batch=1",
            "--sessions",
            "100",
            "--limit",
            one,
            "--fit",
            "sessions");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).contains("The largest number of sessions within ", " is 1.\n");
  }

  @Test
  void profile_otherSessionsAndThreads_hasThePredictedBytes() throws IOException {
    Path file = folder.resolve("profile");
    CommandRun.of("budget", MODEL, "--dim", "batch=1..8", "--profile", file);
    ModelBudget profile = ModelBudget.parse(Files.readString(file));

    JsonNode budget =
        json(MODEL, "--dim", "batch=4", "--sessions", "5", "--threads", "3").getFirst();

    assertThat(profile.at(DimensionValues.of("batch", 4), 5, 3).highestBytes())
        .isEqualTo(budget.get("predicted_bytes").asLong());
  }

  @Test
  void profile_dimensionWithOneSize_isItsRange() throws IOException {
    Path file = folder.resolve("profile");
    CommandRun.of("budget", MODEL, "--dim", "batch=4", "--profile", file);

    assertThat(ModelBudget.parse(Files.readString(file)).ranges())
        .isEqualTo(DimensionRanges.of(new DimensionRange("batch", 4, 4)));
  }

  @Test
  void budget_kubernetes_isTheLargestShapeInMebibytes() {
    CommandRun run = CommandRun.of("budget", MICRO, "--sessions", "20", "--format", "k8s");

    assertThat(run.out())
        .isEqualTo(
            """
            # examples/tflm/detector.tflite: sessions=20, threads=1, without the Java process
            # unknown: the scratch buffers, which operators need while they run, are those of the reference kernels; these operators may need others: TRANSPOSE_CONV 11, MEAN 12; CONV_2D 0, CONV_2D 1, DEPTHWISE_CONV_2D 2 and 7 more, if their kernels are optimized ones
            resources:
              requests:
                memory: "1Mi"
              limits:
                memory: "1Mi"
            """);
  }

  @Test
  void budget_kubernetesWithAHeap_hasTheOptionOfJava() {
    CommandRun run =
        CommandRun.of(
            "budget", MICRO, MODEL, "--dim", "batch=1", "--jvm-heap", "64MiB", "--format", "k8s");

    assertThat(run.out().split("---\n", -1))
        .hasSize(2)
        .allMatch(document -> document.contains("\n# start Java with -Xmx64m\n"));
    assertThat(CommandRun.of("budget", MICRO, "--jvm-heap", "64000001", "--format", "k8s").out())
        .contains("\n# start Java with -Xmx64000001\n");
  }

  @Test
  void budget_openDimension_exits3WithTheRemedy() {
    CommandRun run = CommandRun.of("budget", MODEL);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .contains("depend on open dimensions: batch; set them, for example with --dim batch=1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--sessions 0 | --sessions is 0, expected 1 to 10000",
        "--threads 0 | --threads is 0, expected 1 to 10000",
        "--dim batch=1 --dim batch=2 | --dim sets 'batch' twice, expected once",
        "--dim batch=1 --profile examples/tiny_cnn.onnx | --profile is 'examples/tiny_cnn.onnx', which is a MODEL; use another name",
        "--dim batch=1 --profile a --baseline ./a | two options write 'a'; use another name for one",
        "--fit batch --dim batch=1..4 | --fit needs --limit, expected both",
        "--fit n --limit 1GiB | --fit names 'n', expected sessions, threads or a dimension to which --dim gives a range",
        "--dim batch=4..2 | Invalid value for option '--dim' (NAME=N): 'batch=4..2' has no range of at least 1 that ascends, expected one such as batch=1, batch=1..64 or seq=16,128,512",
        "--dim batch | Invalid value for option '--dim' (NAME=N): 'batch' is not a dimension with its sizes, expected one such as batch=1, batch=1..64 or seq=16,128,512"
      })
  void budget_wrongOptions_exit2(String options, String message) {
    Object[] arguments = ("budget " + MODEL + " " + options).split(" ", -1);

    CommandRun run = CommandRun.of(arguments);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }

  @Tag("full")
  @Test
  void budget_measured_hasTheMemoryOfAProcess() {
    JsonNode budget = json(MODEL, "--dim", "batch=1", "--measure", "--sessions", "2").getFirst();

    // The library of ONNX Runtime alone has more.
    assertThat(budget.get("measured_bytes").asLong()).isGreaterThan(4L << 20);
    assertThat(budget.get("measured_anonymous_bytes").asLong()).isPositive();
    assertThat(budget.get("measured_file_bytes").asLong()).isPositive();
  }
}
