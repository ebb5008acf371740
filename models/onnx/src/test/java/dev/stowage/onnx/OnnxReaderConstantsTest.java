package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.body;
import static dev.stowage.onnx.TestGraph.tensorOf;
import static dev.stowage.onnx.TestGraph.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.TensorScope;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Graphs whose shapes are all in the file: constants, which are not planned. */
class OnnxReaderConstantsTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();
  private static final OnnxOptions IO = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

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
        .containsExactly("2 values without a producer are treated as constant: w, v");
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
}
