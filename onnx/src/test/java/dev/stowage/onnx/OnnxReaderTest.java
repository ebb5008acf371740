package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.BOOL;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT4;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.STRING;
import static dev.stowage.onnx.TestGraph.UINT2;
import static dev.stowage.onnx.TestGraph.bodies;
import static dev.stowage.onnx.TestGraph.body;
import static dev.stowage.onnx.TestGraph.optional;
import static dev.stowage.onnx.TestGraph.sequence;
import static dev.stowage.onnx.TestGraph.tensor;
import static dev.stowage.onnx.TestGraph.tensorOf;
import static dev.stowage.onnx.TestGraph.tensorOfAnyRank;
import static dev.stowage.onnx.TestGraph.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.plan.TensorScope;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Graphs whose shapes are all in the file: what is planned of them, from when to when. */
class OnnxReaderTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();
  private static final OnnxOptions IO = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

  /*
   *   x -> Relu -> a -> Relu -> b -> Add(a, b) -> y
   *         0            1            2
   */
  private static TestGraph residual() {
    return new TestGraph()
        .input("x", FLOAT, 1, 4)
        .node("Relu", "x", "a")
        .node("Relu", "a", "b")
        .node("Add", "a b", "y")
        .type("a b", FLOAT, 1, 4)
        .output("y", FLOAT, 1, 4);
  }

  @Test
  void read_intermediates_liveFromTheirOperatorToTheirLastReader() throws IOException {
    OnnxProblem problem = residual().read(DEFAULTS);

    assertThat(ProblemText.of(problem)).containsExactly("a: 16 bytes, 0..2", "b: 16 bytes, 1..2");
    assertThat(problem.operatorCount()).isEqualTo(3);
    assertThat(problem.notes()).isEmpty();
  }

  @Test
  void read_withInputsAndOutputs_theseLiveFromTheStartAndToTheEnd() throws IOException {
    TestGraph graph = residual().input("unread", BOOL, 3).node("Relu", "b", "unused");
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
  void read_constants_areNotPlanned() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .input("old", FLOAT, 4) // as files before IR version 4 have weights
            .weights("old", 4)
            .weights("w", 4)
            .externalWeights("far", 4)
            .sparseWeights("sparse", 4)
            .node("Constant", "", "c", value(tensorOf(4)))
            .node("ConstantOfShape", "c", "filled")
            .node("Add", "w far", "sum")
            .node("Add", "sum sparse", "sum2")
            .node("Add", "sum2 old", "sum3")
            .node("Add", "filled sum3", "sum4")
            .node("Add", "x sum4", "a")
            .node("Relu", "a", "y")
            .type("c", INT64, 1)
            .type("filled sum sum2 sum3 sum4 a", FLOAT, 4)
            .output("y", FLOAT, 4);

    assertThat(ProblemText.of(graph.read(DEFAULTS))).containsExactly("a: 16 bytes, 6..7");
    assertThat(ProblemText.of(graph.read(IO)))
        .containsExactly("x: 16 bytes, 0..6", "a: 16 bytes, 6..7", "y: 16 bytes, 7..7");
  }

  @Test
  void read_operatorsThatReadNothing_makeNoConstants() throws IOException {
    TestGraph graph =
        new TestGraph()
            .weights("w", 4)
            .node("RandomNormal", "", "noise")
            .node("RandomUniformLike", "w", "more")
            .node("Add", "noise more", "sum")
            .node("com.example", "ReadSensor", "", "measured")
            .node("Relu", "sum", "y")
            .type("noise more sum measured", FLOAT, 4)
            .output("y", FLOAT, 4);

    assertThat(ProblemText.of(graph.read(DEFAULTS)))
        .containsExactly(
            "noise: 16 bytes, 0..2",
            "more: 16 bytes, 1..2",
            "sum: 16 bytes, 2..4",
            "measured: 16 bytes, 3..3");
  }

  @Test
  void read_randomOperatorInABody_makesNoConstant() throws IOException {
    TestGraph random = new TestGraph().node("RandomNormal", "", "r").outputs("r");
    TestGraph fixed = new TestGraph().node("Identity", "w", "i").outputs("i");
    TestGraph graph =
        new TestGraph()
            .weights("w", 4)
            .weights("yes", 1)
            .node("If", "yes", "a", body("then_branch", random), body("else_branch", fixed))
            .node("If", "yes", "b", body("then_branch", fixed), body("else_branch", fixed))
            .node("Relu", "a", "y")
            .type("a b", FLOAT, 4)
            .output("y", FLOAT, 4);

    assertThat(ProblemText.of(graph.read(DEFAULTS))).containsExactly("a: 16 bytes, 0..2");
  }

  @Test
  void read_namesThatNothingMakes_areConstantsAndNoted() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Conv", "x w", "a")
            .node("Conv", "a v w", "y")
            .node("Relu", "w", "ofConstants")
            .type("a", FLOAT, 4)
            .output("y", FLOAT, 4);

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem)).containsExactly("a: 16 bytes, 0..1");
    assertThat(problem.notes())
        .containsExactly("nothing makes 2 values, which are taken for constant: w, v");
  }

  @Test
  void read_constantsOfOneName_theLastCounts() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Constant", "", "c", value(tensorOf(1)))
            .node("Constant", "", "c", value(tensorOf(2)))
            .node("Mul", "x c", "a")
            .node("Relu", "a", "y")
            .type("a", FLOAT, 4)
            .output("y", FLOAT, 4);

    assertThat(ProblemText.of(graph.read(DEFAULTS))).containsExactly("a: 16 bytes, 2..3");
  }

  @Test
  void read_outputsAndInputsThatAreLeftOut_haveNoNames() throws IOException {
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

    assertThat(graph.read(DEFAULTS).operatorCount()).isZero();
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
    for (int i = 0; i < problem.names().size(); i++) {
      bytes.put(problem.names().get(i), problem.problem().records().get(i).bytes());
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
  void read_valuesWithoutASize_areLeftOutAndNoted() throws IOException {
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
  void read_shapesFromSeveralPlaces_areTakenTogether() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 2, 4)
            .node("Relu", "x", "y")
            .node("Relu", "y", "z")
            .type("y", FLOAT, 2, "n")
            .type("y", FLOAT, "batch", 4)
            .type("y", tensorOfAnyRank(FLOAT))
            .type("z", FLOAT, 2, 4)
            .output("z", FLOAT, null, null);

    assertThat(ProblemText.of(graph.read(IO)))
        .containsExactly("x: 32 bytes, 0..0", "y: 32 bytes, 0..1", "z: 32 bytes, 1..1");
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

    // As they run: c, a, b, y.
    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem))
        .containsExactly("c: 16 bytes, 0..3", "a: 16 bytes, 1..2", "b: 16 bytes, 2..3");
    assertThat(problem.notes())
        .containsExactly(
            "its operators are not in an order in which they can run, and are planned in one");
  }

  @Test
  void read_valuesReadInBodies_liveUntilTheOperatorOfTheBody() throws IOException {
    TestGraph inner = new TestGraph().node("Add", "a i", "deep").outputs("deep");
    TestGraph then =
        new TestGraph()
            .node("Relu", "x", "i")
            .node("If", "i", "t", body("then_branch", inner), body("else_branch", inner))
            .outputs("t");
    // What a body makes or has as an input hides what is around it.
    TestGraph hiding =
        new TestGraph()
            .input("c", FLOAT, 4)
            .weights("w", 4)
            .sparseWeights("s", 4)
            .node("Relu", "c", "b")
            .node("Add", "b w", "y")
            .node("Add", "y s", "k")
            .outputs("k");
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "x", "a")
            .node("Relu", "x", "b")
            .node("Relu", "x", "c")
            .node("Relu", "x", "d")
            .node("If", "x", "y", body("then_branch", then), bodies("branches", hiding, hiding))
            .node("Relu", "y", "z")
            .type("a b c d y", FLOAT, 4)
            .output("z", FLOAT, 4);

    OnnxProblem problem = graph.read(IO);
    assertThat(ProblemText.of(problem))
        .containsExactly(
            "x: 16 bytes, 0..4",
            "a: 16 bytes, 0..4",
            "b: 16 bytes, 1..1",
            "c: 16 bytes, 2..2",
            "d: 16 bytes, 3..3",
            "y: 16 bytes, 4..5",
            "z: 16 bytes, 5..5");
    assertThat(problem.notes())
        .containsExactly(
            "5 graphs within its operators (10 operators) are not planned, only what they leave");
  }

  @Test
  void read_bodyThatLeavesAnOuterValue_readsIt() throws IOException {
    TestGraph loop = new TestGraph().input("i", INT64).input("go", BOOL).outputs("go a");
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "x", "a")
            .node("Relu", "x", "b")
            .node("Loop", "_ _", "y", body("body", loop))
            .type("a b", FLOAT, 4)
            .output("y", FLOAT, 4);

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem)).containsExactly("a: 16 bytes, 0..2", "b: 16 bytes, 1..1");
    assertThat(problem.notes())
        .containsExactly(
            "1 graph within its operators (0 operators) is not planned, only what it leaves");
  }

  @Test
  void read_functionsOfTheModel_areOneOperatorEach() throws IOException {
    TestGraph insides = new TestGraph().node("Relu", "p", "q").node("Relu", "q", "r");
    TestGraph graph =
        new TestGraph()
            .function("local", "Twice", "p", "r", insides)
            .input("x", FLOAT, 4)
            .node("local", "Twice", "x", "a")
            .node("local", "Twice", "a", "b")
            .node("elsewhere", "Twice", "b", "y")
            .type("a b", FLOAT, 4)
            .output("y", FLOAT, 4);

    OnnxProblem problem = graph.read(DEFAULTS);
    assertThat(ProblemText.of(problem)).containsExactly("a: 16 bytes, 0..1", "b: 16 bytes, 1..2");
    assertThat(problem.notes())
        .containsExactly(
            "what the model's own functions compute within is not planned, only what 2 calls of them leave");
  }

  @Test
  void read_dimensions_areFixedByNameAndByPlace() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "batch", null, -1, 2)
            .input("other", FLOAT, "batch", "batch")
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .type("a", FLOAT, "batch", "n", 5, 2)
            .output("y", FLOAT, "batch", "n", 5, 2);
    OnnxOptions options =
        IO.withDimension("batch", 3)
            .withDimension("n", 7)
            .withDimension("x[1]", 7)
            .withDimension("x[2]", 5)
            .withDimension("other[1]", 1);

    OnnxProblem problem = graph.read(options);
    assertThat(ProblemText.of(problem))
        .containsExactly(
            "x: 840 bytes, 0..0",
            "other: 12 bytes, 0..0",
            "a: 840 bytes, 0..1",
            "y: 840 bytes, 1..1");
    assertThat(problem.notes()).isEmpty();
  }

  @Test
  void read_dimensionsThatAreNotThere_areNoted() throws IOException {
    OnnxOptions options =
        DEFAULTS.withDimension("x[0]", 2).withDimension("a[0]", 2).withDimension("batch", 2);

    assertThat(residual().read(options).notes())
        .containsExactly("it has no open dimension named a[0], batch, x[0]");
  }

  @Test
  void read_dimensionOfZero_leavesNothing() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "n")
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .type("a", FLOAT, "n")
            .output("y", FLOAT, "n");

    assertThat(ProblemText.of(graph.read(IO.withDimension("n", 0)))).isEmpty();
  }

  @Test
  void read_views_shareTheRecordOfWhatTheyView() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .integers("two", 2, 2)
            .node("Relu", "x", "a")
            .node("Reshape", "a two", "b")
            .node("Flatten", "b", "c")
            .node("Relu", "x", "d")
            .node("Add", "c d", "e")
            .node("Unsqueeze", "a two", "f")
            .node("Add", "e f", "y")
            .type("a b c d e f", FLOAT, 4)
            .output("y", FLOAT, 4);

    assertThat(ProblemText.of(graph.read(DEFAULTS))).hasSize(6);
    OnnxProblem shared = graph.read(DEFAULTS.withAliases());
    assertThat(ProblemText.of(shared))
        .containsExactly("a + [b, c, f]: 16 bytes, 0..6", "d: 16 bytes, 3..4", "e: 16 bytes, 4..6");
    assertThat(shared.notes())
        .containsExactly(
            "3 tensors share the memory of what they view: 48 bytes if nothing else is shared rather than 96, at most 48 live at a task rather than 64");
  }

  @Test
  void read_viewsOfWhatHasNoRecord_haveTheirOwn() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .input("shape", INT64, 2)
            .weights("w", 4)
            .node("Identity", "x", "ofInput")
            .node("Reshape", "w shape", "ofConstant")
            .node("Add", "x w", "y")
            .node("Identity", "y", "ofOutput")
            .node("Relu", "x", "a")
            .node("Squeeze", "a", "z")
            .node("Identity", "w", "constant")
            .type("ofInput ofConstant ofOutput a", FLOAT, 4)
            .output("y", FLOAT, 4)
            .output("z", FLOAT, 4);
    OnnxProblem problem = graph.read(DEFAULTS.withAliases());

    // What the caller of the model has is none of the plan's: the views are copies of it.
    assertThat(ProblemText.of(problem))
        .containsExactly(
            "ofInput: 16 bytes, 0..0",
            "ofConstant: 16 bytes, 1..1",
            "ofOutput: 16 bytes, 3..3",
            "a: 16 bytes, 4..5");
    assertThat(problem.notes())
        .containsExactly("no planned tensor is a view of another, so none shares its memory");
    assertThat(ProblemText.of(graph.read(IO.withAliases())))
        .containsExactly(
            "x + [ofInput]: 16 bytes, 0..4",
            "shape: 16 bytes, 0..1",
            "ofConstant: 16 bytes, 1..1",
            "y + [ofOutput]: 16 bytes, 2..6",
            "a + [z]: 16 bytes, 4..6");
  }

  @Test
  void read_viewOfOtherBytes_sharesNothing() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "x", "a")
            .node("Reshape", "a two", "b")
            .node("com.example", "Reshape", "b", "c")
            .node("Relu", "c", "y")
            .type("a", FLOAT, 4)
            .type("b c", FLOAT, 5)
            .output("y", FLOAT, 4);

    assertThat(ProblemText.of(graph.read(DEFAULTS.withAliases())))
        .containsExactly("a: 16 bytes, 0..1", "b: 20 bytes, 1..2", "c: 20 bytes, 2..3");
  }

  @Test
  void notes_manyLeftOut_endAfterTwenty() throws IOException {
    TestGraph graph = new TestGraph().input("x", FLOAT, 4);
    for (int i = 0; i < 21; i++) {
      graph.node("SequenceConstruct", "x", "s" + i).type("s" + i, sequence(tensor(FLOAT, 4)));
    }
    graph.node("Relu", "x", "a").type("a", FLOAT, 4).outputs("x");

    assertThat(graph.read(DEFAULTS).notes().getFirst())
        .startsWith("21 values of unknown size are not planned: s0 (sequence), ")
        .endsWith(", s19 (sequence), ...");
  }

  @Test
  void options_negativeDimension_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withDimension("n", -1))
        .withMessage("dimension 'n' is -1, expected 0 or more");
  }
}
