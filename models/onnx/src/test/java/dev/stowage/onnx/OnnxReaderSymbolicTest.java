package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.UINT2;
import static dev.stowage.onnx.TestGraph.integer;
import static dev.stowage.onnx.TestGraph.tensorOf;
import static dev.stowage.onnx.TestGraph.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUses;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Problems for all shapes: sizes, notes and errors. */
class OnnxReaderSymbolicTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();
  private static final OnnxOptions IO = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

  private static final DimensionRange BATCH = new DimensionRange("batch", 1, 32);
  private static final DimensionRange SEQ = new DimensionRange("seq", 1, 512);

  private static SymbolicOnnxProblem read(
      TestGraph graph, OnnxOptions options, DimensionRange... ranges) throws IOException {
    return OnnxReader.readSymbolic(
        "test.onnx",
        ByteBuffer.wrap(graph.build().toByteArray()),
        options,
        DimensionRanges.of(ranges));
  }

  private static List<String> text(SymbolicOnnxProblem problem) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < problem.tensors().size(); i++) {
      var record = problem.problem().records().get(i);
      lines.add(
          "%s: %s, %s..%s"
              .formatted(
                  problem.tensors().get(i).name(),
                  record.bytes(),
                  record.firstTask(),
                  record.lastTask()));
    }
    return lines;
  }

  /*
   *   x [batch, seq] -> Relu -> a -> Concat(a, a) -> b -> Relu -> y
   */
  private static TestGraph doubled() {
    return new TestGraph()
        .input("x", FLOAT, "batch", "seq")
        .node("Relu", "x", "a")
        .node("Concat", "a a", "b", integer("axis", 1))
        .node("Relu", "b", "y")
        .outputs("y");
  }

  @Test
  void readSymbolic_openDimensions_areInTheSizes() throws IOException {
    SymbolicOnnxProblem problem = read(doubled(), IO, BATCH, SEQ);

    assertThat(text(problem))
        .containsExactly(
            "x: 4*batch*seq, 0..0",
            "a: 4*batch*seq, 0..1",
            "b: 8*batch*seq, 1..2",
            "y: 8*batch*seq, 2..2");
    assertThat(problem.problem().ranges()).isEqualTo(DimensionRanges.of(BATCH, SEQ));
    assertThat(problem.nodes()).hasSize(3);
    assertThat(problem.notes()).isEmpty();
  }

  @Test
  void readSymbolic_dimensionWithASize_isAConstant() throws IOException {
    assertThat(text(read(doubled(), DEFAULTS.withDimension("batch", 3), SEQ)))
        .containsExactly("a: 12*seq, 0..1", "b: 24*seq, 1..2");
  }

  @Test
  void readSymbolic_dimensionsByPosition_haveTheirOwnNames() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "batch", null)
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .outputs("y");

    assertThat(
            text(
                read(
                    graph,
                    DEFAULTS,
                    new DimensionRange("x[0]", 1, 4),
                    new DimensionRange("x[1]", 1, 5))))
        .containsExactly("a: 4*'x[0]'*'x[1]', 0..1");
  }

  @Test
  void readSymbolic_smallElements_arePacked() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", UINT2, "batch", 3)
            .node("Identity", "x", "y")
            .output("y", UINT2, "batch", 3);

    assertThat(text(read(graph, IO, BATCH)))
        .containsExactly("x: floor((3*batch + 3)/4), 0..0", "y: floor((3*batch + 3)/4), 0..0");
  }

  @Test
  void readSymbolic_aliases_areTheViewsOfAnyShape() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "batch", "seq", 8)
            .integers("shape", 0, -1)
            .node("Relu", "x", "a")
            .node("Reshape", "a shape", "b")
            .node("Relu", "b", "y")
            .outputs("y");

    SymbolicOnnxProblem problem = read(graph, DEFAULTS.withAliases(), BATCH, SEQ);
    assertThat(text(problem)).containsExactly("a: 32*batch*seq, 0..2");
    assertThat(problem.tensors())
        .extracting(PlannedTensor::views)
        .containsExactly(List.of(new PlannedTensor.View("b", 1)));
    assertThat(problem.tensors())
        .extracting(PlannedTensor::uses)
        .containsExactly(new TensorUses(OptionalInt.of(0), List.of(2)));
    assertThat(problem.notes()).containsExactly("1 tensor shares the memory of its input");
  }

  @Test
  void readSymbolic_dimensionWithoutARange_isNamedByTheError() {
    assertThatThrownBy(() -> read(doubled(), DEFAULTS, BATCH))
        .isInstanceOf(OpenDimensionsException.class)
        .hasMessage("test.onnx: the sizes of 2 tensors depend on open dimensions: seq");
  }

  @Test
  void readSymbolic_dimensionThatIsMisspelt_isNamed() throws IOException {
    DimensionRange misspelt = new DimensionRange("batsch", 1, 2);

    assertThat(read(doubled(), DEFAULTS, BATCH, SEQ, misspelt).notes())
        .containsExactly(
            "the model has no open dimension named batsch; its open dimensions are batch, seq");
    assertThat(read(doubled(), DEFAULTS, BATCH, SEQ, misspelt).problem().ranges())
        .isEqualTo(DimensionRanges.of(BATCH, SEQ));
  }

  @Test
  void readSymbolic_dimensionWithASizeAndARange_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(doubled(), DEFAULTS.withDimension("batch", 1), BATCH, SEQ))
        .withMessage("dimension 'batch' has a size and a range, expected one");
  }

  @Test
  void readSymbolic_sizeThatDependsOnData_isNotedWithTheOperator() throws IOException {
    TestGraph graph =
        doubled().node("NonZero", "b", "places").node("Cast", "places", "z", integer("to", FLOAT));

    SymbolicOnnxProblem problem = read(graph.outputs("z"), IO, BATCH, SEQ);
    assertThat(ProblemText.names(problem.tensors())).containsExactly("x", "a", "b", "y");
    assertThat(problem.notes())
        .containsExactly(
            "2 values of unknown size are not planned: places (depends on operator 3 (NonZero)), z (depends on operator 3 (NonZero))");
  }

  @Test
  void readSymbolic_operatorWithoutARule_isNoted() throws IOException {
    TestGraph graph =
        doubled().node("local", "Strange", "b", "s").node("Relu", "s", "t").outputs("t");

    assertThatThrownBy(() -> read(graph, IO, BATCH, SEQ))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("local:Strange");
    assertThat(ProblemText.names(read(graph.type("s t", FLOAT, 5, 2), IO, BATCH, SEQ).tensors()))
        .contains("s", "t");
  }

  /** ONNX Runtime does not know the size of NonZero, but all elements of this tensor are 1. */
  @Test
  void readSymbolic_nonZeroOfOnes_hasAsManyResultsAsElements() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "batch", "seq")
            .node("Shape", "x", "shape")
            .node("ConstantOfShape", "shape", "ones", value(tensorOf(1)))
            .node("NonZero", "ones", "places")
            .node("Transpose", "places", "y")
            .outputs("y");

    assertThat(text(read(graph, DEFAULTS, BATCH, SEQ)))
        .containsExactly(
            "shape: 16, 0..1", "ones: 8*batch*seq, 1..2", "places: 16*batch*seq, 2..3");
  }

  @Test
  void readSymbolic_lengthsThatMayDiffer_areNoted() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 2, "seq")
            .input("z", FLOAT, 2, "batch")
            .node("Add", "x z", "a")
            .node("Relu", "a", "y")
            .outputs("y");

    SymbolicOnnxProblem problem = read(graph, DEFAULTS, BATCH, SEQ);
    assertThat(text(problem)).containsExactly("a: 8*max(batch, seq), 0..1");
    assertThat(problem.notes())
        .containsExactly(
            "the model is invalid for some shapes of the ranges: operator 0 (Add) needs equal lengths, but seq is 512 and batch is 32 at batch=32, seq=512");
  }

  @Test
  void readSymbolic_imageSmallerThanTheWindow_isAnError() {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 1, 3, "h", 9)
            .weights("k", 4, 3, 5, 5)
            .node("Conv", "x k", "a")
            .node("Relu", "a", "y")
            .outputs("y");

    assertThatThrownBy(() -> read(graph, DEFAULTS, new DimensionRange("h", 3, 9)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "test.onnx: tensor 'a': has a negative dimension in the given ranges, expected ranges with valid shapes: h - 4 is -1 at h=3");
  }

  @Test
  void readSymbolic_sizesAbove63Bits_areAnError() {
    TestGraph graph =
        new TestGraph()
            .input("x", INT64, "n", "n", "n")
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .outputs("y");

    assertThatThrownBy(() -> read(graph, DEFAULTS, new DimensionRange("n", 1, 1L << 30)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("may need more than 2^63 - 1 bytes");
  }
}
