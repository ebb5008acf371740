package dev.stowage.onnx.graph;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.core.plan.TensorScope;
import dev.stowage.core.plan.TensorUsageRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InPlaceRecordsTest {

  private final GraphProto.Builder graph = GraphProto.newBuilder();

  private InPlaceRecordsTest value(String name, long... dimensions) {
    graph.addValueInfo(info(name, dimensions));
    return this;
  }

  private InPlaceRecordsTest node(String operator, String inputs, String output) {
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
  private InPlaceRecords records(TensorScope scope) throws Exception {
    graph.addInput(info("x", 8)).addOutput(info("y", 8));
    ModelGraph model =
        GraphAssembly.assemble("test.onnx", ModelProto.newBuilder().setGraph(graph).build());
    return InPlaceRecords.of(model, PlannedValues.of(model, scope, true, Map.of()));
  }

  private static List<String> lifetimes(InPlaceRecords records) {
    return records.records().stream().map(InPlaceRecordsTest::lifetime).toList();
  }

  private static String lifetime(TensorUsageRecord record) {
    return "%d: %d-%d".formatted(record.bytes(), record.firstTask(), record.lastTask());
  }

  @Test
  void of_anActivation_writesOverItsInput() throws Exception {
    InPlaceRecords records =
        node("Conv", "x", "a")
            .node("Relu", "a", "b")
            .node("Conv", "b", "y")
            .value("a", 8)
            .value("b", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(lifetimes(records)).containsExactly("32: 0-2");
  }

  @Test
  void of_anInputThatIsReadLater_keepsIt() throws Exception {
    InPlaceRecords records =
        node("Conv", "x", "a")
            .node("Relu", "a", "b")
            .node("Concat", "b a", "y")
            .value("a", 8)
            .value("b", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(lifetimes(records)).containsExactly("32: 0-2", "32: 1-2");
  }

  @Test
  void of_aViewThatIsReadLater_keepsTheViewedTensor() throws Exception {
    InPlaceRecords records =
        node("Conv", "x", "a")
            .node("Flatten", "a", "view")
            .node("Relu", "a", "b")
            .node("Concat", "b view", "y")
            .value("a", 8)
            .value("view", 1, 8)
            .value("b", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(lifetimes(records)).containsExactly("32: 0-3", "32: 2-3");
  }

  @Test
  void of_twoInputs_writesOverTheOneOfTheResultsShape() throws Exception {
    InPlaceRecords records =
        node("Conv", "x", "small")
            .node("Conv", "x", "large")
            .node("Mul", "small large", "b")
            .node("Conv", "b", "y")
            .value("small", 1)
            .value("large", 8)
            .value("b", 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(lifetimes(records)).containsExactly("4: 0-2", "32: 1-3");
  }

  @Test
  void of_aResultOfOtherBytes_writesOverNothing() throws Exception {
    InPlaceRecords records =
        node("Conv", "x", "a")
            .node("Conv", "x", "c")
            .node("Add", "a c", "b")
            .node("Conv", "b", "y")
            .value("a", 8, 1)
            .value("c", 1, 8)
            .value("b", 8, 8)
            .records(TensorScope.INTERMEDIATES);
    assertThat(lifetimes(records)).containsExactly("32: 0-2", "32: 1-2", "256: 2-3");
  }

  @Test
  void of_inputsAndOutputsOfTheGraph_keepsThem() throws Exception {
    InPlaceRecords records =
        node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .node("Relu", "y", "b")
            .value("a", 8)
            .value("b", 8)
            .records(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    // x belongs to the caller; y reuses the bytes of a, and no value reuses those of y.
    assertThat(lifetimes(records)).containsExactly("32: 0-0", "32: 0-2", "32: 2-2");
  }

  @Test
  void of_aChain_isOneRecord() throws Exception {
    InPlaceRecords records =
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
    assertThat(lifetimes(records)).containsExactly("32: 0-5");
  }
}
