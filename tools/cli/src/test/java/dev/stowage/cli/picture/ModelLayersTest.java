package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.testing.SampleSource;
import dev.stowage.testing.browser.PageContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import tools.jackson.databind.JsonNode;

/** The layers of real models on their pages. */
class ModelLayersTest {

  @TempDir Path folder;

  @ParameterizedTest
  @SampleSource(
      folder = "models",
      value = {
        "tflite/mobilenet_v2_1.0_224_quant.tflite, 1, MobilenetV2/expanded_conv_13, 20",
        "tflite/person_detect.tflite, 2, MobilenetV1/MobilenetV1/Conv2d_7, 17",
        "tflite/yamnet_audio.tflite, 1, tower0/network/layer17, 36",
        "tflite/basic_pitch_nmp.tflite, 2, model_1/cq_t2010v2_1, 39",
        "skeleton/resnet_v2_50_224.onnx, 1, resnet_v2_50/block3, 10",
        "skeleton/inception_v3_tfslim_299.onnx, 2, InceptionV3/InceptionV3/Mixed_6e, 22",
        "skeleton/nasnet_mobile_224.onnx, 0, cell_7, 19",
        "skeleton/efficientnet_b0.onnx, 1, features/6, 12",
        "onnx/yolox_nano_416.onnx, 0, , 1",
      })
  void page_ofARealModel_hasItsBlocksAtTheBalancedLevel(
      Path file, int level, String layer, int groupCount) throws IOException {
    Path page = folder.resolve("page.html");
    CommandRun run = CommandRun.of("plan", file, "--strategy", "GREEDY_BY_SIZE", "--output", page);
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode layers = PageContent.of(Files.readString(page)).path("layers");

    assertThat(layers.path("level").asInt(0)).isEqualTo(level);
    assertThat(groups(layers, level)).contains(layer).hasSize(groupCount);
  }

  /** {@return the prefixes of the layers of all records at a level; empty for those in no layer} */
  private static Set<String> groups(JsonNode layers, int level) {
    Set<String> groups = new TreeSet<>();
    if (layers.isMissingNode()) {
      groups.add("");
    }
    for (JsonNode innermost : layers.path("of")) {
      int layer = innermost.asInt();
      while (depth(layer, layers) > level) {
        layer = parent(layer, layers);
      }
      groups.add(layer < 0 ? "" : layers.get("prefixes").get(layer).asString());
    }
    return groups;
  }

  private static int depth(int layer, JsonNode layers) {
    return layer < 0 ? -1 : 1 + depth(parent(layer, layers), layers);
  }

  private static int parent(int layer, JsonNode layers) {
    return layers.get("parents").get(layer).asInt();
  }
}
