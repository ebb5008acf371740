package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.text.ShellLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plans of .onnx models, with their notes and options. */
final class PlanCommandOnnxTest {

  private static final String MODEL = "examples/tiny_cnn.onnx";

  @TempDir private Path folder;

  private static CommandRun greedy(Object... arguments) {
    Object[] all = new Object[arguments.length + 5];
    all[0] = "plan";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    System.arraycopy(
        new Object[] {"--strategy", "GREEDY_BY_SIZE", "--kind", "offsets"},
        0,
        all,
        arguments.length + 1,
        4);
    return CommandRun.of(all);
  }

  @Test
  void plan_openDimension_exits3WithTheRemedy() {
    assertThat(greedy(MODEL))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: examples/tiny_cnn.onnx: the sizes of 18 tensors depend on open dimensions: batch; set them, for example with --dim batch=1\n"));
  }

  @Test
  void plan_fixedDimension_printsTheTable() {
    assertThat(greedy(MODEL, "--dim", "batch=1"))
        .isEqualTo(
            new CommandRun(
                ExitCode.DONE,
                """
                examples/tiny_cnn.onnx: One arena of 96.000 KiB (98,304 bytes) holds all 18 tensors of 19 tasks: by GREEDY_BY_SIZE, 72.1 % less than unshared (344.164 KiB).
                Proved: no plan is smaller.

                OFFSETS in one arena   bytes              over bound
                  GREEDY_BY_SIZE      98,304  96.000 KiB     optimal
                  lower bound         98,304  96.000 KiB
                """,
                ""));
  }

  @Test
  void plan_json_hasTheModelsNames() {
    JsonNode line =
        new JsonMapper()
            .readTree(greedy(MODEL, "--dim", "image[0]=2", "--io", "--format", "json").out());

    assertThat(line.get("format").asString()).isEqualTo("onnx");
    assertThat(line.get("operators").asLong()).isEqualTo(19);
    assertThat(line.get("tasks")).hasSize(19);
    assertThat(line.get("tasks").get(0)).hasToString("{\"operator\":\"Conv 0\"}");
    assertThat(line.get("records")).hasSize(20);
    assertThat(line.get("records").get(0))
        .hasToString(
            "{\"id\":\"image\",\"name\":\"image\",\"bytes\":24576,\"first_task\":0,\"last_task\":0,\"shape\":[2,3,32,32],\"type\":\"FLOAT\",\"consumers\":[0]}");
    assertThat(line.get("records").get(19))
        .hasToString(
            "{\"id\":\"probabilities\",\"name\":\"probabilities\",\"bytes\":80,\"first_task\":18,\"last_task\":18,\"shape\":[2,10],\"type\":\"FLOAT\",\"producer\":18,\"consumers\":[]}");
  }

  @Test
  void plan_alias_printsTheSavedBytes() {
    assertThat(greedy(MODEL, "--dim", "batch=1", "--alias", "--format", "csv").err())
        .isEqualTo(
            """
            stowage: note: examples/tiny_cnn.onnx: 1 tensor shares the memory of its input: 352,360 bytes instead of 352,424 if nothing else is shared, still at most 98,304 live at a task
            """);
  }

  @Test
  void plan_severalFiles_oneOfWhichHasTheDimension_notesTheOthers() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.onnx"), "<html>");

    CommandRun run =
        greedy(
            MODEL,
            "examples/mobilenet_v2.tflite",
            broken,
            "--dim",
            "batch=1",
            "--dim",
            "seq=8",
            "--format",
            "csv");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out().lines().map(line -> line.split(",", -1)[0]))
        .containsExactly("input", MODEL, "examples/mobilenet_v2.tflite");
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: note: examples/tiny_cnn.onnx: the model has no open dimension named seq; its open dimension is batch
            stowage: note: examples/mobilenet_v2.tflite: the model has no open dimension named batch, seq; .tflite models have no open dimensions; omit --dim
            stowage: %s: is damaged or of another format, expected an ONNX model: Protocol message end-group tag did not match expected tag.
            """
                .formatted(broken));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"batch", "batch=", "=1", "batch=-1", "batch=1.5", "batch=9999999999999999999"})
  void plan_dimensionWithoutASize_exits2(String dimension) {
    CommandRun run = greedy(MODEL, "--dim", dimension);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err().lines().findFirst().orElseThrow())
        .endsWith(
            "'%s' is not a dimension with its size, expected one such as batch=1, batch=1..32 or input[0]=1"
                .formatted(dimension));
  }

  @Test
  void plan_dimensionTwice_exits2() {
    CommandRun run = greedy(MODEL, "--dim", "batch=1", "--dim", "batch=2");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err().lines().findFirst().orElseThrow())
        .endsWith("--dim sets 'batch' twice, expected once");
  }

  @Test
  void shellWord_namesThatAShellWouldExpand_areQuoted() {
    assertThat(ShellLine.word("batch=1")).isEqualTo("batch=1");
    assertThat(ShellLine.word("input[0]=1")).isEqualTo("'input[0]=1'");
    assertThat(ShellLine.word("floor(n/2)=1")).isEqualTo("'floor(n/2)=1'");
    assertThat(ShellLine.word("it's=1")).isEqualTo("'it'\\''s=1'");
  }

  /** The file has 5,000,000 operators without content. Its errors are no text to explain, too. */
  @ParameterizedTest
  @ValueSource(strings = {"plan", "verify", "budget", "rewrite --reorder --output OUT"})
  void anyCommand_tooManyOperators_exits3(String command) throws IOException {
    byte[] model = new byte[10_000_005];
    byte[] graph = {0x3a, (byte) 0x80, (byte) 0xad, (byte) 0xe2, 0x04}; // 10,000,000 bytes
    System.arraycopy(graph, 0, model, 0, graph.length);
    for (int i = graph.length; i < model.length; i += 2) {
      model[i] = 0x0a;
    }
    Path file = Files.write(folder.resolve("m.onnx"), model);
    List<Object> words = new ArrayList<>(List.of(command.split(" ")));
    words.replaceAll(word -> word.equals("OUT") ? folder.resolve("out.onnx") : word);
    words.add(file);
    if (!command.equals("budget")) {
      words.addAll(List.of("--time-limit", "2"));
    }

    CommandRun run = CommandRun.of(words.toArray());

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + file
                + ": has more than 1,000,000 operators, expected at most 1,000,000\n");
  }
}
