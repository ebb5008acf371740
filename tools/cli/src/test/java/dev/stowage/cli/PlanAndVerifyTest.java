package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The figures of a model in {@code stowage plan --alias} and {@code stowage verify}. The plans of
 * these models are proved optimal at once, so that time limits do not matter.
 */
class PlanAndVerifyTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "--io"})
  void commands_ofTheExample_reportTheSameFigures(String flag) {
    assertAgree(SampleModels.examples().resolve("tiny_cnn.onnx"), "--dim batch=3 " + flag);
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "light_squeezenet, ",
        "light_shufflenet, ",
        "light_inception_v1, ",
        "fastestdet, ",
        "yunet_n_640, ",
        "ultraface_rfb320, ",
        "dtln_model_1, ",
        "light_densenet121, ",
        "scan_1, --dim Sequence=5",
        "silero_vad, --dim input[0]=1 --dim input[1]=256 --dim state[1]=1",
        "light_squeezenet, --io",
        "yunet_n_640, --io",
      })
  void commands_ofARealModel_reportTheSameFigures(Path file, String options) {
    assertAgree(file, options);
  }

  private static void assertAgree(Path model, String options) {
    JsonNode verified = json(model, "verify", options);
    JsonNode planned =
        json(model, "plan", "--alias --alignment 64 --kind offsets --strategy OPTIMAL " + options);
    JsonNode plan = planned.path("plans").path(0);
    assertThat(verified.path("operators")).isEqualTo(planned.path("operators"));
    assertThat(verified.path("records").asInt()).isEqualTo(planned.path("records").size());
    assertThat(verified.path("naive_bytes")).isEqualTo(planned.path("naive_bytes"));
    assertThat(verified.path("planned_bytes")).isEqualTo(plan.path("total_bytes"));
    assertThat(verified.path("lower_bound_bytes")).isEqualTo(plan.path("lower_bound"));
    assertThat(
            StreamSupport.stream(verified.path("outputs").spliterator(), false)
                .map(output -> output.path("bit_identical").asBoolean()))
        .isNotEmpty()
        .containsOnly(true);
  }

  private static JsonNode json(Path model, String command, String options) {
    List<Object> words = new ArrayList<>(List.of(command, model, "--format", "json"));
    List.of(options.split(" ")).stream().filter(word -> !word.isEmpty()).forEach(words::add);
    CommandRun run = CommandRun.of(words.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return JsonMapper.shared().readTree(run.out());
  }
}
