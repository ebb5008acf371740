package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import dev.stowage.testing.browser.PageContent;
import dev.stowage.testing.tflite.Activation;
import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import dev.stowage.testing.tflite.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The effects of options that {@code --explain} reports, and the names of operators. */
class PlanCommandEffectsTest {

  @TempDir Path folder;

  static LongStream seeds() {
    return Seeds.of(40);
  }

  /** Writes a model of some operators with random operands. */
  private Path model(Random random) throws IOException {
    TfliteGraphBuilder graph = TfliteGraphBuilder.named("random");
    List<GraphTensor> tensors = new ArrayList<>(List.of(graph.input("in", 1, 4, 4, 2)));
    int count = 3 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      tensors.add(operator(graph, "t" + i, tensors, random));
    }
    graph.output(tensors.getLast());
    Path file = folder.resolve("model.tflite");
    graph.writeTo(file);
    return file;
  }

  private static GraphTensor operator(
      TfliteGraphBuilder graph, String name, List<GraphTensor> tensors, Random random) {
    GraphTensor one = tensors.get(random.nextInt(tensors.size()));
    GraphTensor other = tensors.get(random.nextInt(tensors.size()));
    if (one.shape().equals(other.shape()) && random.nextBoolean()) {
      return graph.add(name, one, other, Activation.NONE);
    }
    return switch (random.nextInt(4)) {
      case 0 -> graph.concatenate(name, one, other);
      case 1 -> graph.softmax(name, one);
      default -> graph.conv2d(name, one, 1 + random.nextInt(6), Window.of(1), Activation.RELU);
    };
  }

  private static JsonNode json(Object... arguments) {
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return JsonMapper.shared().readTree(run.out());
  }

  private static Optional<JsonNode> effect(JsonNode explanation, String option) {
    for (JsonNode effect : explanation.get("effects")) {
      if (effect.get("option").asString().equals(option)) {
        return Optional.of(effect);
      }
    }
    return Optional.empty();
  }

  private static long optimalBytes(JsonNode report) {
    for (JsonNode plan : report.get("plans")) {
      if (plan.get("strategy").asString().equals("OPTIMAL")) {
        return plan.get("total_bytes").asLong();
      }
    }
    throw new AssertionError(report);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_explainOfAModel_hasTheBytesThatTheOptionsGive(long seed) throws IOException {
    Path file = model(new Random(seed));
    List<Object> offsets = List.of("plan", file, "--kind", "offsets", "--format", "json");
    JsonNode explained = json(with(offsets, "--explain"));
    JsonNode aliased = json(with(offsets, "--alias"));
    JsonNode reordered = json(with(offsets, "--reorder"));

    JsonNode explanation = explained.get("explanation");
    if (explanation == null) {
      assertThat(explained.get("lower_bounds").get("offsets").asLong()).isZero();
      return;
    }
    JsonNode alias = effect(explanation, "--alias").orElseThrow();
    assertThat(alias.get("in_use").asBoolean()).isFalse();
    assertThat(alias.get("total_bytes").asLong()).isEqualTo(optimalBytes(aliased));
    assertThat(alias.get("optimal").asBoolean()).isTrue();
    JsonNode reorder = effect(explanation, "--reorder").orElseThrow();
    assertThat(reorder.get("total_bytes").asLong())
        .isEqualTo(reordered.get("reorder").get("bytes_after").asLong());
    assertThat(reorder.get("lower_bound").asLong())
        .isEqualTo(reordered.get("reorder").get("lower_bound_bytes").asLong());
    assertThat(effect(explanation, "--strategy OPTIMAL")).isEmpty();

    JsonNode used = json(with(with(offsets, "--alias"), "--explain")).get("explanation");
    assertThat(effect(used, "--alias").orElseThrow().get("in_use").asBoolean()).isTrue();
    assertThat(effect(used, "--alias").orElseThrow().get("total_bytes").asLong())
        .isEqualTo(optimalBytes(explained));
  }

  private static Object[] with(List<Object> arguments, Object option) {
    List<Object> all = new ArrayList<>(arguments);
    all.add(option);
    return all.toArray();
  }

  private static Object[] with(Object[] arguments, Object option) {
    return with(List.of(arguments), option);
  }

  @Test
  void plan_namesWithControlCharacters_printsThemAsQuestionMarks() throws IOException {
    TfliteGraphBuilder graph = TfliteGraphBuilder.named("hostile");
    GraphTensor in = graph.input("in", 1, 4, 4, 2);
    GraphTensor first =
        graph.conv2d("\u202Eevil\u001B[31m\n", in, 3, Window.of(1), Activation.NONE);
    graph.output(graph.softmax("out", first));
    Path file = folder.resolve("model.tflite");
    graph.writeTo(file);
    Path page = folder.resolve("page.html");
    Path drawing = folder.resolve("drawing.svg");

    CommandRun run =
        CommandRun.of(
            "plan", file, "--kind", "offsets", "--explain", "--output", page, "--output", drawing);

    assertThat(run.out())
        .endsWith(
            """

            Why not 191 bytes: at CONV_2D 0, 1 live tensor needs 192 bytes.

            TENSOR         bytes  first task  last task
              ?evil?[31m?    192   CONV_2D 0  SOFTMAX 1

            Peak: 192 bytes live at CONV_2D 0 to SOFTMAX 1.
            --alias: no smaller arena (proved)
            --reorder: no smaller arena (proved)
            """);
    JsonNode data = PageContent.of(Files.readString(page));
    assertThat(data.get("shapes")).hasToString("[\"1x4x4x3 FLOAT32\"]");
    assertThat(data.get("tasks")).hasToString("[\"CONV_2D 0\",\"SOFTMAX 1\"]");
    assertThat(Files.readString(drawing))
        .contains(">?evil?[31m?</text>")
        .contains(">live at the peak</text>");
  }
}
