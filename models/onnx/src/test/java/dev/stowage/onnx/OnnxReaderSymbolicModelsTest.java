package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Problems of real models for all shapes, compared with their problems for single shapes. */
class OnnxReaderSymbolicModelsTest {

  private static final OnnxOptions IO =
      OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

  static DimensionRanges ranges(String texts) {
    return new DimensionRanges(
        Stream.of(texts.split(" "))
            .map(text -> text.split("=|\\.\\."))
            .map(parts ->
                new DimensionRange(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2])))
            .toList());
  }

  private static void assertAgrees(byte[] model, DimensionRanges ranges) throws IOException {
    for (OnnxOptions options : List.of(IO, OnnxOptions.defaults().withAliases())) {
      SymbolicShapes shapes = new SymbolicShapes(model, options, ranges);
      assertThat(shapes.problem().tensors()).isNotEmpty();
      Random random = new Random(1);
      List<DimensionValues> compared = new ArrayList<>(shapes.corners(4));
      compared.add(shapes.any(random));
      for (DimensionValues shape : compared) {
        assertThat(shapes.agreesAt(shape)).as("valid at %s", shape).isTrue();
      }
    }
  }

  @Test
  void readSymbolic_example_agreesAtAllShapes() throws IOException {
    byte[] model = Files.readAllBytes(SampleModels.examples().resolve("tiny_cnn.onnx"));

    assertAgrees(model, ranges("batch=1..32"));
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "basic_pitch_nmp, unk__749=1..9",
        "byte_sb_bidi_lstm, batch=1..32 length=1..512",
        "fns_candy_style_transfer, None=1..4",
        "gpt2_past_12layer_tiny_dims, batch_size=1..8 seq_len=1..7",
        "scan_1, Sequence=1..100",
        "tf_bert_keras2onnx, batch_size=1..64",
      })
  void readSymbolic_modelsWithOpenDimensions_agreeAtAllShapes(Path file, String dimensions)
      throws IOException {
    assertAgrees(Files.readAllBytes(file), ranges(dimensions));
  }

  /** The dimensions of this model depend on each other, so that most shapes are invalid. */
  @Test
  void readSymbolic_dependentDimensions_agreesAtValidShapesAndNotesInvalidOnes()
      throws IOException {
    Path file = SampleModels.folder("models/onnx").resolve("tiny_random_llama_fp16_extdata.onnx");
    SymbolicShapes shapes =
        new SymbolicShapes(
            Files.readAllBytes(file),
            IO,
            ranges(
                "batch_size=1..8 sequence_length=1..8 past_sequence_length=1..64 total_sequence_length=1..72"));
    for (long past : new long[] {1, 7, 64}) {
      Map<String, Long> values = new LinkedHashMap<>();
      values.put("batch_size", 3L);
      values.put("sequence_length", 1L);
      values.put("past_sequence_length", past);
      values.put("total_sequence_length", past + 1);
      assertThat(shapes.agreesAt(DimensionValues.of(values))).as("past %d", past).isTrue();
    }
    assertThat(shapes.problem().notes())
        .anyMatch(note -> note.startsWith("the model is invalid for some shapes of the ranges: "));
  }

  /** The image and the batch of these models have fixed sizes in the file. */
  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "fastestdet, N=1..3 H=352..512 W=352..512",
        "light_bvlc_alexnet, N=1..3 H=224..260 W=224..260",
        "light_densenet121, N=1..3 H=224..260 W=224..260",
        "light_inception_v1, N=1..3 H=224..260 W=224..260",
        "light_resnet50, N=1..3 H=224..260 W=224..260",
        "light_squeezenet, N=1..3 H=100..260 W=100..260",
        "light_vgg19, N=1..3 H=224..260 W=224..260",
        "ultraface_rfb320, N=1..3 H=240..300 W=300..320",
      })
  void readSymbolic_modelsWhoseDimensionsAreOpened_agreeAtValidShapes(Path file, String dimensions)
      throws IOException {
    ModelProto model = opened(ModelProto.parseFrom(Files.readAllBytes(file)));
    SymbolicShapes shapes = new SymbolicShapes(model.toByteArray(), IO, ranges(dimensions));
    Random random = new Random(1);
    int validCount = 0;
    List<DimensionValues> compared = new ArrayList<>(shapes.corners(8));
    compared.add(shapes.any(random));
    for (DimensionValues shape : compared) {
      validCount += shapes.agreesAt(shape) ? 1 : 0;
    }
    assertThat(validCount).isPositive();
    assertThat(shapes.problem().notes()).noneMatch(note -> note.contains("unknown size"));
  }

  private static ModelProto opened(ModelProto model) {
    GraphProto.Builder graph = model.getGraph().toBuilder().clearValueInfo();
    for (ValueInfoProto.Builder input : graph.getInputBuilderList()) {
      boolean isImage =
          input.getType().getTensorType().getShape().getDimCount() == 4
              && graph.getInitializerList().stream()
                  .noneMatch(tensor -> tensor.getName().equals(input.getName()));
      if (isImage) {
        TensorShapeProto.Builder shape =
            input.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
        shape.setDim(0, Dimension.newBuilder().setDimParam("N"));
        shape.setDim(2, Dimension.newBuilder().setDimParam("H"));
        shape.setDim(3, Dimension.newBuilder().setDimParam("W"));
      }
    }
    for (ValueInfoProto.Builder output : graph.getOutputBuilderList()) {
      output.getTypeBuilder().getTensorTypeBuilder().clearShape();
    }
    return model.toBuilder().setGraph(graph).build();
  }
}
