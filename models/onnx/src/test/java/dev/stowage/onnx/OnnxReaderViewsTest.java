package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUses;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Views that share the record of their input, and views that cannot. */
class OnnxReaderViewsTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();
  private static final OnnxOptions IO = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

  @Test
  void read_views_shareTheRecordOfTheViewedTensor() throws IOException {
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
    // The operators that make views read no bytes.
    assertThat(shared.tensors().getFirst().views())
        .containsExactly(
            new PlannedTensor.View("b", 1),
            new PlannedTensor.View("c", 2),
            new PlannedTensor.View("f", 5));
    assertThat(shared.tensors())
        .extracting(PlannedTensor::uses)
        .containsExactly(
            new TensorUses(OptionalInt.of(0), List.of(4, 6)),
            new TensorUses(OptionalInt.of(3), List.of(4)),
            new TensorUses(OptionalInt.of(4), List.of(6)));
    assertThat(shared.notes())
        .containsExactly(
            "3 tensors share the memory of their inputs: 48 bytes instead of 96 if nothing else is shared, at most 48 instead of 64 live at a task");
  }

  @Test
  void read_viewsOfUnplannedTensors_stayInInputsAndOtherwiseHaveTheirOwnRecords()
      throws IOException {
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

    // The view of an input stays in the memory of the caller. The other views are copies.
    assertThat(ProblemText.of(problem))
        .containsExactly(
            "ofConstant: 16 bytes, 1..1", "ofOutput: 16 bytes, 3..3", "a: 16 bytes, 4..5");
    assertThat(problem.notes())
        .containsExactly(
            "1 tensor shares the memory of its input: 48 bytes instead of 64 if nothing else is shared, still at most 16 live at a task");
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
}
