package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.plan.TensorUses;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayerNameTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "MobilenetV1/Conv2d_2_depthwise/Relu6,MobilenetV1 | /Conv2d_2 | _depthwise",
        "model/block_3/conv/Relu;model/block_3/conv/BiasAdd,model | /block_3 | /conv",
        "add;lstm_6/cell_6/split1,lstm_6 | /cell_6",
        "/model/layers.0/attn/q_proj/MatMul,/model | /layers | .0 | /attn | /q_proj",
        "bert/encoder/layer_._10/output/add:0,bert | /encoder | /layer_ | ._10 | /output",
        "ns::layer::weights,ns | ::layer",
        "model.layers.3.mlp.up_proj.weight,model | .layers | .3 | .mlp | .up_proj",
        "a//b,a | /",
        "block_1_expand,block_1",
      })
  void segments_ofANameInLayers_areItsLayers(String name, String segments) {
    assertThat(String.join(" | ", LayerName.segments(LayerName.cleaned(name)))).isEqualTo(segments);
  }

  @ParameterizedTest
  @CsvSource({
    "conv2d_6",
    "input",
    "''",
    "onnx::Conv_468",
    "onnx::",
    "input.208",
    "serving_default:0",
    "/Reshape",
    "137 conv2d",
    "_",
    ":0",
    ".5",
    ";",
    "a;b",
    "Relu__35"
  })
  void segments_ofANameInNoLayer_areNone(String name) {
    assertThat(LayerName.segments(LayerName.cleaned(name))).isEmpty();
  }

  @Test
  void segments_ofMoreLayersThanTheLimit_areTheOutermostOnes() {
    assertThat(LayerName.segments("a/".repeat(5_000))).hasSize(LayerName.MAX_LAYERS);
  }

  @Test
  void of_record_isTheNameOfItsOperatorIfThatIsInALayer() {
    List<TaskLabel> tasks =
        List.of(new TaskLabel("Conv 0", "/stem/Conv"), new TaskLabel("Relu 1", "Relu_1"));
    assertThat(LayerName.of(record("/stem/Conv_output_0", OptionalInt.of(0)), tasks))
        .isEqualTo("/stem/Conv");
    assertThat(LayerName.of(record("body/relu", OptionalInt.of(1)), tasks)).isEqualTo("body/relu");
    assertThat(LayerName.of(record("image", OptionalInt.empty()), tasks)).isEqualTo("image");
    assertThat(LayerName.of(new RecordLabel("7", "seven/7"), tasks)).isEqualTo("seven/7");
  }

  private static RecordLabel record(String name, OptionalInt producer) {
    TensorUses uses = new TensorUses(producer, List.of());
    return new RecordLabel(name, name, Optional.empty(), Optional.of(uses), List.of());
  }
}
