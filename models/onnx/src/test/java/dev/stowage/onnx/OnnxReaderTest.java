package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.BOOL;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.FLOAT16;
import static dev.stowage.onnx.TestGraph.INT4;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.STRING;
import static dev.stowage.onnx.TestGraph.UINT2;
import static dev.stowage.onnx.TestGraph.optional;
import static dev.stowage.onnx.TestGraph.sequence;
import static dev.stowage.onnx.TestGraph.tensor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.TensorScope;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Graphs whose shapes are all in the file: planned values and their lifetimes. */
class OnnxReaderTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();
  private static final OnnxOptions IO = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

  @Test
  void read_intermediates_liveFromTheirOperatorToTheirLastReader() throws IOException {
    OnnxProblem problem = TestGraph.residual().read(DEFAULTS);

    assertThat(ProblemText.of(problem)).containsExactly("a: 16 bytes, 0..2", "b: 16 bytes, 1..2");
    assertThat(problem.nodes()).hasSize(3);
    assertThat(problem.notes()).isEmpty();
  }

  @Test
  void read_anyModel_namesItsOperatorsAndTheTypesOfItsValues() throws IOException {
    OnnxProblem problem =
        new TestGraph()
            .input("x", FLOAT, 2, 3)
            .node("Shape", "x", "shape")
            .node("Cast", "shape", "half", TestGraph.integer("to", FLOAT16))
            .node("ReduceSum", "x", "sum", TestGraph.integer("keepdims", 0))
            .node("Add", "half sum", "y")
            .type("shape", INT64, 2)
            .type("half", FLOAT16, 2)
            .type("sum", FLOAT)
            .output("y", FLOAT, 2)
            .read(DEFAULTS);

    assertThat(problem.nodes())
        .containsExactly(
            new OnnxNode(0, "Shape", ""),
            new OnnxNode(1, "Cast", ""),
            new OnnxNode(2, "ReduceSum", ""),
            new OnnxNode(3, "Add", ""));
    assertThat(problem.tensors().stream().map(PlannedTensor::type))
        .containsExactly(
            new OnnxTensorType(List.of(2L), "INT64"),
            new OnnxTensorType(List.of(2L), "FLOAT16"),
            new OnnxTensorType(List.of(), "FLOAT"));
  }

  @Test
  void read_withInputsAndOutputs_theseLiveFromTheStartAndToTheEnd() throws IOException {
    TestGraph graph = TestGraph.residual().input("unread", BOOL, 3).node("Relu", "b", "unused");
    graph.type("unused", FLOAT, 1, 4);

    assertThat(ProblemText.of(graph.read(IO)))
        .containsExactly(
            "x: 16 bytes, 0..0",
            "unread: 3 bytes, 0..0",
            "a: 16 bytes, 0..2",
            "b: 16 bytes, 1..3",
            "y: 16 bytes, 2..3",
            "unused: 16 bytes, 3..3");
  }

  @Test
  void read_omittedOutputsAndInputs_haveNoNames() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Dropout", "x _ _", "a _")
            .node("LSTM", "a _ _ a", "_ h _")
            .node("Relu", "h", "y")
            .type("a h", FLOAT, 4)
            .output("y", FLOAT, 4);

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem)).containsExactly("a: 16 bytes, 0..1", "h: 16 bytes, 1..2");
    assertThat(problem.notes()).isEmpty();
  }

  @Test
  void read_outputThatIsAlsoSomethingElse_isPlannedOnce() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .weights("w", 4)
            .node("Relu", "x", "y")
            .node("Relu", "y", "z")
            .output("y", FLOAT, 4)
            .output("x", FLOAT, 4)
            .output("w", FLOAT, 4)
            .output("y", FLOAT, 4)
            .output("z", FLOAT, 4);

    assertThat(ProblemText.of(graph.read(DEFAULTS))).isEmpty();
    assertThat(ProblemText.of(graph.read(IO)))
        .containsExactly("x: 16 bytes, 0..1", "y: 16 bytes, 0..1", "z: 16 bytes, 1..1");
  }

  @Test
  void read_graphWithoutOperators_hasNoTasks() throws IOException {
    TestGraph graph = new TestGraph().input("x", FLOAT, 4).output("x", FLOAT, 4);

    assertThat(graph.read(DEFAULTS).nodes()).isEmpty();
    assertThat(ProblemText.of(graph.read(IO))).containsExactly("x: 16 bytes, 0..0");
  }

  @Test
  void read_elementsOfAnyType_arePackedBelowAByte() throws IOException {
    TestGraph graph = new TestGraph().input("x", FLOAT, 1);
    int[] codes = {1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
    int[] bytesOfFive = {
      20, 5, 5, 10, 10, 20, 40, 5, 10, 40, 20, 40, 40, 80, 10, 5, 5, 5, 5, 3, 3, 3
    };
    for (int code : codes) {
      graph.node("Cast", "x", "t" + code).type("t" + code, code, 5);
    }
    graph.node("Cast", "x", "t24").type("t24", 24, 5);
    graph.node("Cast", "x", "t25").type("t25", UINT2, 5);
    graph.node("Cast", "x", "t26").type("t26", 26, 3, 3);
    graph.node("Cast", "x", "int4").type("int4", INT4, 3, 3).outputs("x");

    Map<String, Long> bytes = new TreeMap<>();
    OnnxProblem problem = graph.read(DEFAULTS);
    for (int i = 0; i < problem.tensors().size(); i++) {
      bytes.put(problem.tensors().get(i).name(), problem.problem().records().get(i).bytes());
    }
    for (int i = 0; i < codes.length; i++) {
      assertThat(bytes.get("t" + codes[i])).as("code %d", codes[i]).isEqualTo(bytesOfFive[i]);
    }
    assertThat(bytes)
        .containsEntry("t24", 5L)
        .containsEntry("t25", 2L)
        .containsEntry("t26", 3L)
        .containsEntry("int4", 5L)
        .hasSize(codes.length + 4);
  }

  @Test
  void read_scalarsAndEmptyTensors_takeOneElementAndNone() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("ReduceSum", "x", "scalar")
            .node("Slice", "x", "empty")
            .node("Concat", "scalar empty", "y")
            .type("scalar", FLOAT)
            .type("empty", FLOAT, 1L << 40, 0, 1L << 40)
            .output("y", FLOAT, 1);

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem)).containsExactly("scalar: 4 bytes, 0..2");
    assertThat(problem.notes()).isEmpty();
  }

  @Test
  void read_valuesWithoutASize_areSkippedAndNoted() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("SequenceConstruct", "x", "list")
            .node("Optional", "x", "maybe")
            .node("Cast", "x", "text")
            .node("Cast", "x", "newer")
            .node("ZipMap", "x", "table")
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .type("list", sequence(tensor(FLOAT, 4)))
            .type("maybe", optional(tensor(FLOAT, 4)))
            .type("text", STRING, 4)
            .type("newer", 99, 4)
            .type("table", TestGraph.map(tensor(FLOAT, 4)))
            .type("a", FLOAT, 4)
            .output("y", FLOAT, 4);

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem)).containsExactly("a: 16 bytes, 5..6");
    assertThat(problem.notes())
        .containsExactly(
            "5 values of unknown size are not planned: list (sequence), maybe (optional), text (elements of type STRING), newer (elements of unknown type 99), table (map)");
  }

  @Test
  void read_operatorsInAnotherOrder_areSortedStablyAndNoted() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Add", "b c", "y")
            .node("Relu", "x", "c")
            .node("Relu", "x", "a")
            .node("Relu", "a", "b")
            .type("a b c", FLOAT, 4)
            .output("y", FLOAT, 4);

    // The order of execution is c, a, b, y.
    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem))
        .containsExactly("c: 16 bytes, 0..3", "a: 16 bytes, 1..2", "b: 16 bytes, 2..3");
    assertThat(problem.notes())
        .containsExactly("the operators are not in an executable order; they are planned in one");
  }

  @Test
  void notes_manySkipped_endAfterTwenty() throws IOException {
    TestGraph graph = new TestGraph().input("x", FLOAT, 4);
    for (int i = 0; i < 21; i++) {
      graph.node("SequenceConstruct", "x", "s" + i).type("s" + i, sequence(tensor(FLOAT, 4)));
    }
    graph.node("Relu", "x", "a").type("a", FLOAT, 4).outputs("x");

    assertThat(graph.read(DEFAULTS).notes().getFirst())
        .startsWith("21 values of unknown size are not planned: s0 (sequence), ")
        .endsWith(", s19 (sequence), ...");
  }
}
