package dev.stowage.onnx.graph;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class InPlaceResultsTest {

  private final GraphProto.Builder graph = GraphProto.newBuilder();

  private InPlaceResultsTest value(String name, long... dimensions) {
    graph.addValueInfo(info(name, dimensions));
    return this;
  }

  private InPlaceResultsTest node(String operator, String inputs, String output) {
    graph.addNode(
        NodeProto.newBuilder()
            .setOpType(operator)
            .addAllInput(List.of(inputs.split(" ")))
            .addOutput(output));
    return this;
  }

  private static ValueInfoProto info(String name, long... dimensions) {
    TypeProto.Builder type = TypeProto.newBuilder();
    type.getTensorTypeBuilder().setElemType(1).getShapeBuilder();
    for (long dimension : dimensions) {
      type.getTensorTypeBuilder().getShapeBuilder().addDimBuilder().setDimValue(dimension);
    }
    return ValueInfoProto.newBuilder().setName(name).setType(type).build();
  }

  /** {@return the records of a graph with input x of 8 floats and output y} */
  private List<String> records(TensorScope scope) throws Exception {
    graph.addInput(info("x", 8)).addOutput(info("y", 8));
    ModelGraph model =
        GraphAssembly.assemble("test.onnx", ModelProto.newBuilder().setGraph(graph).build());
    PlannedValues planned = PlannedValues.of(model, scope, true, Map.of());
    Map<Integer, Integer> sources =
        InPlaceResults.of(model, planned).stream()
            .collect(Collectors.toMap(InPlace::record, InPlace::source));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < planned.records().size(); i++) {
      TensorUsageRecord record = planned.records().get(i);
      Integer source = sources.get(i);
      lines.add(
          "%s %s: %s-%s%s"
              .formatted(
                  planned.values().get(i).name(),
                  record.bytes(),
                  record.firstTask(),
                  record.lastTask(),
                  source == null ? "" : " in place of " + planned.values().get(source).name()));
    }
    return lines;
  }

  @Test
  void of_anActivation_writesOverItsInput() throws Exception {
    List<String> records =
        node("Conv", "x", "a")
            .node("Relu", "a", "b")
            .node("Conv", "b", "y")
            .value("a", 8)
            .value("b", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(records).containsExactly("a 32: 0-1", "b 32: 1-2 in place of a");
  }

  @Test
  void of_anInputThatIsReadLater_keepsIt() throws Exception {
    List<String> records =
        node("Conv", "x", "a")
            .node("Relu", "a", "b")
            .node("Concat", "b a", "y")
            .value("a", 8)
            .value("b", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(records).containsExactly("a 32: 0-2", "b 32: 1-2");
  }

  @Test
  void of_aViewThatIsReadLater_keepsTheViewedTensor() throws Exception {
    List<String> records =
        node("Conv", "x", "a")
            .node("Flatten", "a", "view")
            .node("Relu", "a", "b")
            .node("Concat", "b view", "y")
            .value("a", 8)
            .value("view", 1, 8)
            .value("b", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(records).containsExactly("a 32: 0-3", "b 32: 2-3");
  }

  @Test
  void of_twoInputs_writesOverTheOneOfTheResultsShape() throws Exception {
    List<String> records =
        node("Conv", "x", "small")
            .node("Conv", "x", "large")
            .node("Mul", "small large", "b")
            .node("Conv", "b", "y")
            .value("small", 1)
            .value("large", 8)
            .value("b", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(records)
        .containsExactly("small 4: 0-2", "large 32: 1-2", "b 32: 2-3 in place of large");
  }

  @Test
  void of_aResultOfOtherBytes_writesOverNothing() throws Exception {
    List<String> records =
        node("Conv", "x", "a")
            .node("Conv", "x", "c")
            .node("Add", "a c", "b")
            .node("Conv", "b", "y")
            .value("a", 8, 1)
            .value("c", 1, 8)
            .value("b", 8, 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(records).containsExactly("a 32: 0-2", "c 32: 1-2", "b 256: 2-3");
  }

  @Test
  void of_inputsAndOutputsOfTheGraph_keepsThem() throws Exception {
    List<String> records =
        node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .node("Relu", "y", "b")
            .value("a", 8)
            .value("b", 8)
            .records(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    // x belongs to the caller; y reuses the bytes of a, and no value reuses those of y.
    assertThat(records)
        .containsExactly("x 32: 0-0", "a 32: 0-1", "y 32: 1-2 in place of a", "b 32: 2-2");
  }

  @Test
  void of_aChain_isOneRecord() throws Exception {
    List<String> records =
        node("Conv", "x", "a")
            .node("Relu", "a", "b")
            .node("Flatten", "b", "c")
            .node("Neg", "c", "d")
            .node("Exp", "d", "e")
            .node("Conv", "e", "y")
            .value("a", 8)
            .value("b", 8)
            .value("c", 1, 8)
            .value("d", 1, 8)
            .value("e", 1, 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(records)
        .containsExactly(
            "a 32: 0-1",
            "b 32: 1-3 in place of a",
            "d 32: 3-4 in place of b",
            "e 32: 4-5 in place of d");
  }

  @Test
  void of_anInputThatIsReadTwice_writesOverAnotherOrNothing() throws Exception {
    List<String> records =
        node("Conv", "x", "a")
            .node("Identity", "a", "view")
            .node("Mul", "a view", "b")
            .node("Conv", "x", "c")
            .node("Add", "b b", "d")
            .node("Sub", "d c", "e")
            .node("Conv", "e", "y")
            .value("a", 8)
            .value("view", 8)
            .value("b", 8)
            .value("c", 8)
            .value("d", 8)
            .value("e", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(records)
        .containsExactly(
            "a 32: 0-2", "b 32: 2-4", "c 32: 3-5", "d 32: 4-5", "e 32: 5-6 in place of d");
  }

  @Test
  void of_aViewOfTheCallersInput_overwritesNothing() throws Exception {
    List<String> records =
        node("Flatten", "x", "view")
            .node("Relu", "view", "a")
            .node("Conv", "a", "y")
            .value("view", 1, 8)
            .value("a", 1, 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(records).containsExactly("a 32: 1-2");
  }
}
