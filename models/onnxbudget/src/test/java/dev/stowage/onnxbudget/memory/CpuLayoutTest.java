package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.onnx.engine.EngineOptimization;
import dev.stowage.onnxbudget.layout.CpuLayout;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The layout of graphs by rules, compared with the graphs of ONNX Runtime on this machine. */
class CpuLayoutTest {

  /** The defaults of attributes, which ONNX Runtime writes in some operators. */
  private static final List<String> DEFAULTS =
      List.of(
          "auto_pad=0NOTSET[]",
          "ceil_mode=0[]",
          "channels_last=0[]",
          "coordinate_transformation_mode=0asymmetric[]",
          "mode=0nearest[]");

  /** ONNX Runtime adds the conversions of results in an order that differs between sessions. */
  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "basic_pitch_nmp",
        "dtln_model_1",
        "fastestdet",
        "fns_candy_style_transfer",
        "light_bvlc_alexnet",
        "light_densenet121",
        "light_inception_v1",
        "light_inception_v2",
        "light_resnet50",
        "light_shufflenet",
        "light_squeezenet",
        "silero_vad",
        "ultraface_rfb320",
        "yolox_nano_416",
        "yunet_n_640"
      })
  void of_realModel_isTheGraphOfTheEngine(Path model) throws Exception {
    List<String> ours = described(layout(model, 0));
    List<String> engines = described(engine(model));
    assertThat(ours).containsExactlyInAnyOrderElementsOf(engines);
    if (ours.stream().filter(node -> node.contains("ReorderOutput")).count() <= 1) {
      assertThat(ours).isEqualTo(engines);
    }
    assertThat(ours).isEqualTo(described(layout(model, 0)));
  }

  @Test
  void of_example_isTheGraphOfTheEngine() throws Exception {
    Path model = SampleModels.examples().resolve("tiny_cnn.onnx");
    assertThat(described(layout(model, 0))).isEqualTo(described(engine(model)));
  }

  /** The convolutions of the example have 16, 32 and 64 channels. */
  @ParameterizedTest
  @CsvSource({"8", "16"})
  void of_example_hasWholeBlocks(long block) throws Exception {
    Path model = SampleModels.examples().resolve("tiny_cnn.onnx");
    EngineOptimization written = EngineOptimization.withoutLayout(model);
    GraphProto graph =
        CpuLayout.of(written.original(), written.optimized(), OptionalLong.of(block), 0).getGraph();
    Map<String, Long> channels = new HashMap<>();
    graph.getInitializerList().stream()
        .filter(tensor -> tensor.getDimsCount() == 4)
        .forEach(tensor -> channels.put(tensor.getName(), tensor.getDims(0)));
    assertThat(graph.getNodeList())
        .filteredOn(node -> node.getDomain().equals("com.microsoft.nchwc"))
        .filteredOn(node -> node.getOpType().equals("Conv"))
        .isNotEmpty()
        .allMatch(node -> channels.getOrDefault(node.getInput(1), 1L) % block == 0);
  }

  private static GraphProto layout(Path model, long seed) throws Exception {
    EngineOptimization written = EngineOptimization.withoutLayout(model);
    OptionalLong block = CpuDetection.thisMachine().blockChannels();
    return CpuLayout.of(written.original(), written.optimized(), block, seed).getGraph();
  }

  private static GraphProto engine(Path model) throws Exception {
    ModelProto optimized = EngineOptimization.of(model, 3).optimized();
    return optimized.getGraph();
  }

  /** {@return the operators with the shapes of their weights, and the names of their results} */
  private static List<String> described(GraphProto graph) {
    Map<String, String> weights = new HashMap<>();
    graph
        .getInitializerList()
        .forEach(tensor ->
            weights.put(tensor.getName(), tensor.getDataType() + "" + tensor.getDimsList()));
    return graph.getNodeList().stream().map(node -> described(node, weights)).toList();
  }

  private static String described(NodeProto node, Map<String, String> weights) {
    Map<String, String> attributes = new TreeMap<>();
    for (AttributeProto attribute : node.getAttributeList()) {
      String text =
          attribute.getName()
              + "="
              + attribute.getI()
              + attribute.getS().toStringUtf8()
              + attribute.getIntsList();
      if (!DEFAULTS.contains(text) && !attribute.getName().equals("activation_params")) {
        attributes.put(attribute.getName(), text);
      }
    }
    String inputs =
        node.getInputList().stream()
            .map(name -> weights.getOrDefault(name, named(name)))
            .collect(Collectors.joining(", "));
    String outputs =
        node.getOutputList().stream().map(CpuLayoutTest::named).collect(Collectors.joining(", "));
    return node.getDomain() + node.getOpType() + "(" + inputs + ")" + attributes.values() + outputs;
  }

  /** {@return the name of a value, without those that the layout makes} */
  private static String named(String value) {
    return value.startsWith("reorder") || value.startsWith("reshape") ? "new" : value;
  }
}
