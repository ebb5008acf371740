package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.tensorOfAnyRank;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Open dimensions, and their sizes from the options. */
class OnnxReaderDimensionsTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();
  private static final OnnxOptions IO = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

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

    assertThat(TestGraph.residual().read(options).notes())
        .containsExactly(
            "the model has no open dimension named a[0], batch, x[0]; it has no open dimensions: omit --dim, or export the model with open ones");
  }

  /** A graph whose sizes all depend on open dimensions. */
  private static TestGraph open() {
    return new TestGraph()
        .input("x", FLOAT, "batch", null, 4)
        .node("Relu", "x", "a")
        .node("Relu", "a", "y")
        .type("a", FLOAT, "batch", "n", 4)
        .output("y", FLOAT, "batch", "n", 4);
  }

  @Test
  void read_dimensionThatIsMisspelt_isNotedWithThoseThatTheModelHas() throws IOException {
    OnnxOptions options =
        DEFAULTS.withDimension("batch", 2).withDimension("n", 3).withDimension("sequence", 2);

    assertThat(open().read(options).notes())
        .containsExactly(
            "the model has no open dimension named sequence; its open dimensions are batch, x[1], n");
  }

  @Test
  void read_misspeltDimensionThatIsNeeded_isNamedByTheError() {
    assertThatThrownBy(() -> open().read(DEFAULTS.withDimension("batsch", 2)))
        .isInstanceOf(OpenDimensionsException.class)
        .hasMessage(
            "test.onnx: the model has no open dimension named batsch; its open dimensions are batch, x[1], n; the size of 1 tensor depends on open dimensions: batch, x[1]");
  }

  @Test
  void read_misspeltDimensionOfAModelThatIsWrong_isNamedByTheError() {
    TestGraph graph = open().node("Relu", "missing", "y");

    assertThatThrownBy(() -> graph.read(DEFAULTS.withDimension("batsch", 2)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("test.onnx: ")
        .hasMessageEndingWith(
            "; the model has no open dimension named batsch; its open dimensions are batch, x[1], n");
  }

  @Test
  void read_dimensionFixedByNameAndByPlace_hasBothNames() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "batch")
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .type("a", FLOAT, 2)
            .output("y", FLOAT, 2);

    assertThat(graph.read(DEFAULTS.withDimension("x[0]", 2).withDimension("batch", 2)).notes())
        .isEmpty();
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
  void options_negativeDimension_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withDimension("n", -1))
        .withMessage("dimension 'n' is -1, expected 0 or more");
  }
}
