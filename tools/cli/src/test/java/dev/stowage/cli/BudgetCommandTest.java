package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.budget.ModelBudget;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The options of budgets, and measurements with generous bounds. */
final class BudgetCommandTest {

  private static final String MODEL = "examples/tiny_cnn.onnx";
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  private static List<JsonNode> json(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("budget", MODEL));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--format", "json"));
    CommandRun run = CommandRun.of(all.toArray());
    assertThat(run.exitCode()).as("%s", run.err()).isEqualTo(ExitCode.DONE);
    JsonMapper mapper = new JsonMapper();
    return run.out().lines().map(mapper::readTree).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          --sessions 0 | --sessions is 0, expected 1 to 1000
          --concurrent 1001 | --concurrent is 1001, expected 1 to 1000
          --dim batch=1 --dim batch=2 | --dim sets 'batch' twice, expected once
          --fit batch | --fit needs --limit, expected both
          --fit batch --limit 1GiB --dim batch=1 | --fit names 'batch', expected a dimension to which --dim gives a range, such as batch=1..64
          --option arena=none | --option is 'arena=none', expected an entry of the configuration with a dot in its name, arena=off, memory_pattern=off, prepacking=off, shrink=on or arena_extend_strategy=same
          examples/tiny_cnn.onnx --output budget.html | --output has one MODEL, but there are 2, expected 1
          --profile p.html --output p.html | --output is 'p.html', which is written twice; use another name
          """)
  void options_thatContradict_exit2(String options, String message) {
    CommandRun run = CommandRun.of((Object[]) ("budget " + MODEL + " " + options).split(" "));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }

  @Test
  void budget_tfliteModel_isRefusedWithTheCommandThatPlansIt() {
    assertThat(CommandRun.of("budget", "examples/tflm/detector.tflite"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: examples/tflm/detector.tflite: is a model for TensorFlow Lite Micro, whose memory is planned: run ./stowage plan examples/tflm/detector.tflite --runtime tflm\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          batch,seq/1,2/3,x | line 3: seq is "x", expected a whole number below 2^63 in digits
          batch,seq/1,128/512,1 | line 3: batch is 512, expected at most 8 as --dim sets it; measure up to the largest request, such as --dim batch=1..512
          batch,length/1,2 | line 1: column 'length' is no dimension of --dim, expected batch, seq; remove it, or add --dim length=1..N
          batch/1 | line 1: has no column 'seq', expected one for each --dim
          """)
  void requests_otherTexts_areRefused(String rows, String message) throws IOException {
    Path file = folder.resolve("requests.csv");
    Files.writeString(file, rows.replace('/', '\n') + "\n");

    CommandRun run =
        CommandRun.of(
            "budget", MODEL, "--requests", file, "--dim", "batch=1..8", "--dim", "seq=128");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("requests.csv: " + message);
  }

  @Test
  @Tag("full")
  void budget_modelThatCannotRun_isRefusedInOneSentence() {
    assertThat(CommandRun.of("budget", MODEL).err())
        .isEqualTo(
            "stowage: examples/tiny_cnn.onnx: cannot run: the inputs have open dimensions: batch; set them, for example with --dim batch=1\n");
    assertThat(CommandRun.of("budget", MODEL, "--dim", "seq=1").err())
        .isEqualTo(
            "stowage: examples/tiny_cnn.onnx: cannot run: --dim sets 'seq', but the open dimensions are: batch\n");
    assertThat(
            CommandRun.of(
                    "budget",
                    MODEL,
                    "--dim",
                    "batch=1",
                    "--option",
                    "arena=off",
                    "--option",
                    "shrink=on")
                .err())
        .startsWith(
            "stowage: examples/tiny_cnn.onnx: cannot run: ONNX Runtime rejects the inputs; change --dim, --input or --option: ");
  }

  @Test
  @Tag("full")
  void budget_range_growsWithTheShape() {
    List<JsonNode> shapes = json("--dim", "batch=8..512", "--limit", "1GiB");

    assertThat(shapes).hasSize(7);
    long smallest = shapes.getFirst().get("highest_bytes").asLong();
    JsonNode largest = shapes.getLast();
    assertThat(smallest).isBetween(15 * MIB, 100 * MIB);
    assertThat(largest.get("highest_bytes").asLong()).isBetween(smallest + 50 * MIB, 500 * MIB);
    assertThat(largest.get("limit_bytes").asLong())
        .isGreaterThan(largest.get("highest_bytes").asLong());
    assertThat(largest.get("kept_bytes").asLong())
        .isLessThanOrEqualTo(largest.get("highest_bytes").asLong());
    assertThat(largest.get("fits").asBoolean()).isTrue();
  }

  @Test
  @Tag("full")
  void budget_withoutTheArena_keepsLess() {
    long arena = json("--dim", "batch=512").getLast().get("kept_bytes").asLong();
    long without =
        json("--dim", "batch=512", "--option", "arena=off").getLast().get("kept_bytes").asLong();

    assertThat(without).isLessThan(arena - 50 * MIB);
  }

  @Test
  @Tag("full")
  void profile_samples_areEvaluatedByPrograms() throws IOException {
    Path profile = folder.resolve("profile.txt");
    json("--dim", "batch=1,16", "--sessions", "2", "--profile", profile);

    ModelBudget budget = ModelBudget.parse(Files.readString(profile));
    DimensionValues shape = DimensionValues.of("batch", 12);
    assertThat(budget.at(shape, 2, 1).highestBytes())
        .isGreaterThan(budget.at(shape, 2, 1).loadedBytes());
    assertThat(budget.at(shape, 1, 1).highestBytes()).isBetween(15 * MIB, 200 * MIB);
    assertThat(budget.runBytes(shape)).isBetween(MIB, 8 * MIB);
  }

  @Test
  @Tag("full")
  void baseline_ofTheSameService_isNoRegression() {
    Path baseline = folder.resolve("memory.json");
    json("--dim", "batch=4", "--baseline", baseline, "--update-baseline");

    json("--dim", "batch=4", "--baseline", baseline);
  }
}
