package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.testing.browser.Browser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The details of tensors on a page, compared with {@code plan --format json}. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TensorDetailsBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final Browser browser = new Browser();

  @ParameterizedTest
  @ValueSource(strings = {"tiny_cnn.onnx", "mobilenet_v1.tflite", "deeplab_v3.tflite"})
  void details_ofEachTensor_haveTheOperatorsOfTheReport(String model) {
    Path page = folder.resolve("page.html");
    List<Object> arguments =
        new ArrayList<>(List.of("plan", "examples/" + model, "--format", "json", "--output", page));
    arguments.addAll(List.of("--strategy", "GREEDY_BY_SIZE", "--kind", "offsets"));
    if (model.endsWith(".onnx")) {
      arguments.addAll(List.of("--dim", "batch=1"));
    }
    JsonNode report = JsonMapper.shared().readTree(CommandRun.of(arguments.toArray()).out());
    browser.open(page);
    JsonNode details =
        JsonMapper.shared()
            .readTree(
                browser.run(
                    """
                    const { model, store } = document.getElementById('map').explorer;
                    return JSON.stringify(Array.from(model.bytes, (_, i) =>
                        Object.fromEntries(model.detailsOf(i, store.get(), Infinity))));
                    """));
    List<JsonNode> records = report.get("records").valueStream().toList();
    assertThat(details).hasSize(records.size()).isNotEmpty();
    for (int i = 0; i < records.size(); i++) {
      JsonNode record = records.get(i);
      JsonNode shown = details.get(i);
      assertThat(shown.get("id").asString()).isEqualTo(record.get("id").asString());
      List<String> dimensions = record.get("shape").valueStream().map(JsonNode::asString).toList();
      assertThat(shown.get("shape").asString())
          .isEqualTo(String.join("x", dimensions) + " " + record.get("type").asString());
      assertThat(shown.get("computed by").asString())
          .isEqualTo(
              record.has("producer")
                  ? operator(report, record.get("producer").intValue())
                  : "input of the model");
      List<String> consumers =
          record
              .get("consumers")
              .valueStream()
              .map(task -> operator(report, task.intValue()))
              .toList();
      assertThat(texts(shown.get("read by")))
          .isEqualTo(consumers.isEmpty() ? List.of("no operator") : consumers);
    }
    browser.assertNothingWentWrong();
  }

  private static List<String> texts(JsonNode value) {
    return value.isArray()
        ? value.valueStream().map(JsonNode::asString).toList()
        : value.isMissingNode() ? List.of() : List.of(value.asString());
  }

  private static String operator(JsonNode report, int task) {
    JsonNode label = report.get("tasks").get(task);
    String name = label.path("name").asString("");
    return label.get("operator").asString() + (name.isEmpty() ? "" : " (" + name + ")");
  }
}
