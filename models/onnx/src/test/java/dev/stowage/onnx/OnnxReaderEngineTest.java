package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.BOOL;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.body;
import static dev.stowage.onnx.TestGraph.external;
import static dev.stowage.onnx.TestGraph.integer;
import static dev.stowage.onnx.TestGraph.integers;
import static dev.stowage.onnx.TestGraph.sparseValue;
import static dev.stowage.onnx.TestGraph.tensorOf;
import static dev.stowage.onnx.TestGraph.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Graphs whose shapes are not all in the file: ONNX Runtime infers them. */
class OnnxReaderEngineTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();

  @Test
  void read_shapesThatFollowFromInputs_areInferred() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "batch", 3, null, 8)
            .weights("w", 5, 3, 3, 3)
            .node("Conv", "x w", "a", integers("pads", List.of(1L, 1L, 1L, 1L)))
            .node("Relu", "a", "b")
            .node("MaxPool", "b", "c", integers("kernel_shape", List.of(2L, 2L)))
            .node("Relu", "c", "y")
            .type("b", FLOAT, null, null, "h", null)
            .outputs("y");

    assertThat(
            ProblemText.of(graph.read(DEFAULTS.withDimension("batch", 2).withDimension("x[2]", 6))))
        .containsExactly("a: 1920 bytes, 0..1", "b: 1920 bytes, 1..2", "c: 1400 bytes, 2..3");
  }

  @Test
  void read_shapesThatTheEngineHasNoRuleFor_followFromOurs() throws IOException {
    List<Long> border = List.of(1L, 2L, 3L, 4L);
    TestGraph graph =
        new TestGraph()
            .operatorSet(7)
            .input("x", FLOAT, 1, 3, 40, 50)
            .node("Relu", "x", "a")
            .node("Crop", "a", "b", integers("border", border))
            .node("Relu", "b", "c")
            .node(
                "Crop", "c", "d", integers("border", border), integers("scale", List.of(10L, 20L)))
            .node("Relu", "d", "y")
            .type("b", FLOAT, 1, null, null, null)
            .outputs("y");

    // 40 - 2 - 4 by 50 - 1 - 3; then 10 by 20
    assertThat(ProblemText.of(graph.read(DEFAULTS)))
        .containsExactly(
            "a: 24000 bytes, 0..1",
            "b: 18768 bytes, 1..2",
            "c: 18768 bytes, 2..3",
            "d: 2400 bytes, 3..4");
  }

  @Test
  void read_aCropBeyondItsInput_isSkipped() throws IOException {
    TestGraph graph =
        new TestGraph()
            .operatorSet(7)
            .input("x", FLOAT, 1, 3, 4, 5)
            .node("Relu", "x", "a")
            .node("Crop", "a", "b", integers("border", List.of(1L, 2L, 3L, 4L)))
            .node("Relu", "b", "y")
            .outputs("y");

    assertThat(ProblemText.of(graph.read(DEFAULTS))).containsExactly("a: 240 bytes, 0..1");
  }

  @Test
  void read_shapesThatAreComputed_areInferred() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "batch", 2, 6)
            .integers("zero", 0)
            .integers("rest", 3, -1)
            .node("Relu", "x", "a")
            .node("Shape", "a", "shape")
            .node("Gather", "shape zero", "first")
            .node("Concat", "first rest", "target", integer("axis", 0))
            .node("Reshape", "a target", "b")
            .node("Relu", "b", "y")
            .outputs("y");

    assertThat(ProblemText.of(graph.read(DEFAULTS.withDimension("batch", 2))))
        .containsExactly(
            "a: 96 bytes, 0..4",
            "shape: 24 bytes, 1..2",
            "first: 8 bytes, 2..3",
            "target: 24 bytes, 3..4",
            "b: 96 bytes, 4..5");
  }

  @Test
  void read_shapesThatDependOnData_areSkippedAndNoted() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "x", "a")
            .node("NonZero", "a", "places")
            .node("Cast", "places", "y", integer("to", FLOAT))
            .outputs("y");

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem)).containsExactly("a: 16 bytes, 0..1");
    assertThat(problem.notes())
        .containsExactly("1 value of unknown size is not planned: places (shape [1, ?])");
  }

  @Test
  void read_weights_areNotGivenToTheEngine() throws IOException {
    TestGraph inner =
        new TestGraph()
            .externalWeights("inner", 4)
            .weights("kept", 4)
            .node("Add", "a inner", "i")
            .node("Add", "i kept", "t")
            .outputs("t");
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .input("flag", BOOL)
            // An input with a smaller shape than the initializer, as in old files.
            .input("far", FLOAT, (Object) null)
            .externalWeights("far", 4)
            .sparseWeights("sparse", 4)
            .sparseWeights("vast", 1L << 40)
            .weights("large", 1 << 15, 1)
            .node("Constant", "", "elsewhere", value(external(4)))
            .node("Constant", "", "scattered", sparseValue(4))
            .node("Constant", "", "vaster", sparseValue(1L << 40))
            .node("Add", "x far", "a")
            .node("Add", "a sparse", "b")
            .node("Add", "b elsewhere", "c")
            .node("Add", "c scattered", "d")
            .node("If", "flag", "e", body("then_branch", inner), body("else_branch", inner))
            .node("Add", "e large", "f")
            .node("Add", "d f", "y")
            .outputs("y");

    assertThat(ProblemText.of(graph.read(DEFAULTS)))
        .containsExactly(
            "a: 16 bytes, 3..7",
            "b: 16 bytes, 4..5",
            "c: 16 bytes, 5..6",
            "d: 16 bytes, 6..9",
            "e: 16 bytes, 7..8",
            "f: 524288 bytes, 8..9");
  }

  @Test
  void read_constantsThatWouldBeVast_areNeverComputed() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 1)
            .integers("vast", 100_000, 100_000)
            .integers("two", 2)
            .integers("from", 0)
            .weights("one", 1)
            .node("Constant", "", "shape", value(tensorOf(100_000, 100_000)))
            .node("Mul", "shape two", "twice")
            .node("ConstantOfShape", "vast", "c1")
            .node("ConstantOfShape", "shape", "c2")
            .node("ConstantOfShape", "twice", "c3")
            .node("Expand", "one vast", "c4")
            .node("EyeLike", "c4", "c5")
            .node("RandomNormal", "", "r", integers("shape", List.of(100_000L, 100_000L)))
            .node("Add", "c1 c2", "c6")
            .node("Add", "c4 c5", "c7")
            .node("Add", "c6 c7", "c8")
            .node("Add", "c8 x", "a")
            .node("Add", "a r", "b")
            .node("ReduceSum", "c3", "sum")
            .node("Add", "b sum", "e")
            .node("Relu", "e", "y")
            .outputs("y");

    assertThat(ProblemText.of(graph.read(DEFAULTS)))
        .contains("a: 40000000000 bytes, 11..12", "r: 40000000000 bytes, 7..12");
  }

  @Test
  void read_sequencesAndOptionalValues_areSkipped() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("SequenceConstruct", "x x", "list")
            .node("Optional", "x", "maybe")
            .node("OptionalGetElement", "maybe", "got")
            .node("SequenceLength", "list", "length")
            .node("ConcatFromSequence", "list", "all", integer("axis", 0))
            .node("Relu", "got", "a")
            .node("Add", "a all", "y")
            .outputs("y");

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem))
        .containsExactly("got: 16 bytes, 2..5", "length: 8 bytes, 3..3", "a: 16 bytes, 5..6");
    assertThat(problem.notes())
        .containsExactly(
            "3 values of unknown size are not planned: list (not a tensor), maybe (not a tensor), all (shape of any rank)");
  }

  /** ONNX Runtime describes both without dimensions. */
  @Test
  void read_scalarsAndTensorsOfUnknownRank_areToldApart() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .input("shape", INT64, "rank")
            .node("ReduceSum", "x", "scalar", integer("keepdims", 0))
            .node("Reshape", "x shape", "reshaped")
            .node("Relu", "reshaped", "after")
            .node("Add", "after scalar", "y")
            .outputs("y");

    OnnxProblem problem = graph.read(DEFAULTS.withDimension("rank", 1));
    assertThat(ProblemText.of(problem)).containsExactly("scalar: 4 bytes, 0..3");
    assertThat(problem.notes())
        .containsExactly(
            "2 values of unknown size are not planned: reshaped (shape [?]), after (shape [?])");
    assertThatExceptionOfType(OpenDimensionsException.class)
        .isThrownBy(() -> graph.read(DEFAULTS))
        .withMessage("test.onnx: the sizes of 2 tensors depend on open dimensions: rank");
  }

  @Test
  void read_bodiesAndFunctions_areInferred() throws IOException {
    TestGraph small = new TestGraph().node("Identity", "x", "s").outputs("s");
    TestGraph twice = new TestGraph().node("Add", "x x", "t").outputs("t");
    TestGraph insides = new TestGraph().node("Relu", "p", "q").node("Relu", "q", "r");
    TestGraph graph =
        new TestGraph()
            .function("local", "Twice", "p", "r", insides)
            .input("x", FLOAT, 4)
            .input("flag", BOOL)
            .node("If", "flag", "a", body("then_branch", small), body("else_branch", twice))
            .node("local", "Twice", "a", "b")
            .node("Relu", "b", "y")
            .outputs("y");

    assertThat(ProblemText.of(graph.read(DEFAULTS)))
        .containsExactly("a: 16 bytes, 0..1", "b: 16 bytes, 1..2");
  }

  @Test
  void read_operatorsInAnotherOrder_areInferred() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "a", "y")
            .node("Relu", "x", "a")
            .outputs("y");

    assertThat(ProblemText.of(graph.read(DEFAULTS))).containsExactly("a: 16 bytes, 0..1");
  }

  @Test
  void read_modelThatTheEngineRefuses_isAnErrorInItsWords() {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            new TestGraph()
                .input("x", FLOAT, 4)
                .node("com.example", "Own", "x", "a")
                .node("Relu", "a", "y")
                .outputs("y")
                .read(DEFAULTS))
        .withMessage(
            "test.onnx: ONNX Runtime rejects it: Fatal error: com.example:Own(-1) is not a registered function/op");
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            new TestGraph()
                .input("x", FLOAT, 4)
                .input("z", INT64, 4)
                .node("Add", "x z", "a")
                .node("Relu", "a", "y")
                .outputs("y")
                .read(DEFAULTS))
        .withMessage(
            "test.onnx: ONNX Runtime rejects it: Type Error: Type parameter (T) of Optype (Add) bound to different types (tensor(float) and tensor(int64) in node ().");
  }

  /** Thirty functions that each call the previous one twice crash ONNX Runtime. */
  @Test
  void read_functionsThatMultiply_areNotGivenToTheEngine() {
    TestGraph multiplying = new TestGraph().input("x", FLOAT, 4);
    TestGraph body = new TestGraph().node("Relu", "p", "q");
    for (int i = 0; i < 30; i++) {
      multiplying.function("local", "F" + i, "p", "q", body);
      body = new TestGraph().node("local", "F" + i, "p", "m").node("local", "F" + i, "m", "q");
    }
    multiplying.node("local", "F29", "x", "a").node("Relu", "a", "y").outputs("y");
    TestGraph recursive =
        new TestGraph()
            .function("local", "F", "p", "q", new TestGraph().node("local", "F", "p", "q"))
            .input("x", FLOAT, 4)
            .node("local", "F", "x", "a")
            .node("Relu", "a", "y")
            .outputs("y");

    for (TestGraph graph : List.of(multiplying, recursive)) {
      assertThatExceptionOfType(MalformedFileException.class)
          .isThrownBy(() -> graph.read(DEFAULTS))
          .withMessage(
              "test.onnx: the calls of its functions have more than 50000 operators in all, expected fewer");
    }
  }

  /** ONNX Runtime would give the results as many dimensions. */
  @Test
  void read_shapesOfAbsurdLength_areNotGivenToTheEngine() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .input("length", INT64, 1L << 40)
            .node("ConstantOfShape", "length", "a")
            .node("Reshape", "x length", "b")
            .integers("two", 2)
            .node("Mul", "length two", "twice")
            .node("Expand", "x twice", "c")
            .node("Relu", "x", "d")
            .node("Concat", "a b c d", "y", integer("axis", 0))
            .outputs("y");

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem)).containsExactly("d: 16 bytes, 4..5");
    assertThat(problem.notes())
        .containsExactly(
            "4 values of unknown size are not planned: a (shape of any rank), b (shape of any rank), twice (shape [?]), c (shape of any rank)");
  }
}
