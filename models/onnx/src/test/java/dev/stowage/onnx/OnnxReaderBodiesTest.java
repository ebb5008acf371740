package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.BOOL;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.bodies;
import static dev.stowage.onnx.TestGraph.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.TensorScope;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Graphs within operators, and functions: the values that they read, and the notes on them. */
class OnnxReaderBodiesTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();
  private static final OnnxOptions IO = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

  @Test
  void read_valuesReadInBodies_liveUntilTheOperatorOfTheBody() throws IOException {
    TestGraph inner = new TestGraph().node("Add", "a i", "deep").outputs("deep");
    TestGraph then =
        new TestGraph()
            .node("Relu", "x", "i")
            .node("If", "i", "t", body("then_branch", inner), body("else_branch", inner))
            .outputs("t");
    // The values and inputs of a body hide outer values.
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
            "5 graphs (10 operators) within operators are not planned, only the results of these operators");
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
            "1 graph (0 operators) within operators is not planned, only the results of these operators");
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
            "values within the model's functions are not planned, only the results of 2 calls");
  }
}
