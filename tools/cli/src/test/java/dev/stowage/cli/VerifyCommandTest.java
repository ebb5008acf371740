package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VerifyCommandTest {

  /** The fields of the contract. */
  static final String[] FIELDS = {
    "input",
    "operators",
    "records",
    "strategy",
    "naive_bytes",
    "lower_bound_bytes",
    "planned_bytes",
    "engine_peak_bytes",
    "seed",
    "outputs"
  };

  private static final String MODEL = "examples/tiny_cnn.onnx";
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ \\./stowage ([^\n]*)\n(.*?)```", Pattern.DOTALL);

  private static JsonNode json(CommandRun run) {
    return JsonMapper.shared().readTree(run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\u0663", "1.5", "+1"})
  void verify_seedThatIsNoNumber_isAWrongCommandLine(String seed) {
    CommandRun run = CommandRun.of("verify", MODEL, "--seed", seed);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains("'" + seed + "' is not a whole number, expected one such as 42\n");
  }

  @Test
  void verify_tfliteModel_exits3AndNamesCheck() {
    assertThat(CommandRun.of("verify", "examples/tflm/detector.tflite"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: examples/tflm/detector.tflite: verify runs .onnx models in ONNX Runtime; stowage check tests the plan in a .tflite model\n"));
  }

  @Test
  void verify_interrupted_namesEachModelThatIsNotVerified() {
    assertThat(CommandRun.interrupted("verify", "examples/tiny_cnn.onnx", "other.onnx"))
        .isEqualTo(
            new CommandRun(
                143,
                "",
                """
                stowage: interrupted: not verified: examples/tiny_cnn.onnx
                stowage: interrupted: not verified: other.onnx
                """));
  }

  @Test
  void verify_json_hasTheFieldsOfTheContract() {
    CommandRun run = CommandRun.of("verify", MODEL, "--dim", "batch=1", "--format", "json");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).endsWith("}\n").hasLineCount(1);
    JsonNode json = json(run);
    assertThat(json.propertyNames()).containsExactly(FIELDS);
    assertThat(json.path("input").asString()).isEqualTo(MODEL);
    assertThat(json.path("operators").asInt()).isEqualTo(19);
    assertThat(json.path("planned_bytes").asLong())
        .isBetween(
            json.path("lower_bound_bytes").asLong(), json.path("engine_peak_bytes").asLong());
    assertThat(json.path("naive_bytes").asLong()).isEqualTo(352_360);
    JsonNode output = json.path("outputs").path(0);
    assertThat(output.propertyNames())
        .containsExactly(
            "name",
            "elements",
            "bit_identical",
            "max_abs_difference",
            "optimized_max_abs_difference",
            "shape",
            "type");
    assertThat(output.path("shape")).hasToString("[1,10]");
    assertThat(output.path("type").asString()).isEqualTo("FLOAT");
    assertThat(output.path("bit_identical").asBoolean()).isTrue();
    assertThat(output.path("max_abs_difference").asDouble()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NAIVE", "GREEDY_BY_SIZE", "TFLM_GREEDY", "GREEDY_IN_ORDER"})
  void verify_anyStrategyAndSeed_isIdentical(String strategy) {
    CommandRun run =
        CommandRun.of(
            "verify", MODEL, "--dim", "batch=3", "--io", "--strategy", strategy, "--seed", "77");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("planned by " + strategy)
        .contains(
            "identical to ONNX Runtime's, bit for bit, with inputs of seed 77.\n19 operators, 19 tensors in one arena.\n");
  }

  @Test
  void verify_openDimension_exits3AndSaysWhatToType() {
    CommandRun run = CommandRun.of("verify", MODEL);
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).endsWith("set them, for example with --dim batch=1\n");
  }

  @Test
  void verify_misspeltDimension_exits3AndNamesThoseOfTheModel() {
    CommandRun run = CommandRun.of("verify", MODEL, "--dim", "batsch=1");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err())
        .contains("the model has no open dimension named batsch; its open dimension is batch; ")
        .endsWith("set them, for example with --dim batch=1\n");
  }

  @Test
  void verify_dimensionThatTheModelDoesNotHave_isNoted() {
    CommandRun run = CommandRun.of("verify", MODEL, "--dim", "batch=1", "--dim", "seq=2");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: examples/tiny_cnn.onnx: the model has no open dimension named seq; its open dimension is batch\n");
  }

  @Test
  void verify_timeLimitThatIsOver_exits1AndPrintsNoResult() {
    CommandRun run = CommandRun.of("verify", MODEL, "--dim", "batch=1", "--time-limit", "0.000001");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            "stowage: examples/tiny_cnn.onnx: not verified: stopped in ONNX Runtime's own run of the model; the time limit is 0.000001 s (--time-limit)\n");
  }

  @Test
  void verify_timeLimitThatIsNotReached_changesNothing() {
    CommandRun run = CommandRun.of("verify", MODEL, "--dim", "batch=1", "--time-limit", "100000");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains(" bit for bit, ");
  }

  @Test
  void verify_severalModels_theOthersAreStillDone(@TempDir Path folder) throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.onnx"), "no model");
    CommandRun run =
        CommandRun.of(
            "verify",
            folder + "/missing.onnx",
            broken.toString(),
            folder.toString(),
            MODEL,
            "--dim",
            "batch=1",
            "--format",
            "json");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("stowage: %s/missing.onnx: does not exist", folder),
            line ->
                assertThat(line)
                    .startsWith(
                        "stowage: "
                            + broken
                            + ": is damaged or of another format, expected an ONNX model"),
            line ->
                assertThat(line).isEqualTo("stowage: %s: is a folder, expected a file", folder));
    assertThat(run.out()).hasLineCount(1);
  }

  @Test
  void verify_wrongCommandLine_exits2() {
    assertThat(CommandRun.of("verify").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("verify", MODEL, "--strategy", "BEST").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("verify", MODEL, "--time-limit", "0").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("verify", MODEL, "--dim", "batch").err())
        .contains(
            "'batch' is not a dimension with its size, expected one such as batch=1, batch=1..32 or input[0]=1");
    CommandRun twice = CommandRun.of("verify", MODEL, "--dim", "batch=1", "--dim", "batch=2");
    assertThat(twice.exitCode()).isEqualTo(2);
    assertThat(twice.err()).startsWith("stowage: --dim sets 'batch' twice, expected once\n");
  }

  @Test
  void guide_commands_printTheOutputShown() throws IOException {
    Path guide = Path.of("docs/onnx.md");
    String text = Files.readString(guide);
    String printed =
        COMMAND
            .matcher(text)
            .replaceAll(block -> Matcher.quoteReplacement(printed(block.group(1), block.group(2))));
    Files.deleteIfExists(Path.of("reordered.onnx"));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(guide, printed);
    }
    assertThat(Files.readString(guide)).isEqualTo(printed);
    assertThat(COMMAND.matcher(text).results()).hasSize(3);
  }

  /** {@return a block with the output of its command; figures of this processor are no change} */
  private static String printed(String command, String shown) {
    String output = ShownRun.ofLine(command).text();
    boolean isSame = EngineFigures.without(output).equals(EngineFigures.without(shown));
    return "```console\n$ ./stowage " + command + "\n" + (isSame ? shown : output) + "```";
  }
}
