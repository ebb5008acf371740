package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors for models and plans that cannot be verified. */
class ModelVerificationRefusalTest extends VerifiedGraphs {

  @Test
  void load_ofASequenceInput_isRefused() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("s", TestGraph.sequence(TestGraph.tensor(TestGraph.FLOAT, 2)))
            .integers("first", 0)
            .node("SequenceAt", "s first", "y")
            .output("y", TestGraph.FLOAT, 2);
    ModelVerification verification = load(graph, OnnxOptions.defaults());
    assertThatThrownBy(() -> run(verification))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageEndingWith(
            "input 's': is of kind sequence, expected a tensor of numbers with less than 2^31 bytes");
  }

  @Test
  void load_ofAnOpenDimension_isRefused() throws Exception {
    TestGraph graph =
        new TestGraph().input("x", TestGraph.FLOAT, "batch", 2).node("Exp", "x", "y").outputs("y");
    assertThatThrownBy(() -> load(graph, OnnxOptions.defaults()))
        .isInstanceOfSatisfying(
            OpenDimensionsException.class, e -> assertThat(e.names()).containsExactly("batch"));
    assertThat(run(load(graph, OnnxOptions.defaults().withDimension("batch", 3))).isIdentical())
        .isTrue();
  }

  @Test
  void run_ofAnOperatorThatTheEngineRefuses_isRefusedWithItsMessage() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 2)
            .node("NoSuchOperator", "x", "y")
            .type("y", TestGraph.FLOAT, 2)
            .output("y", TestGraph.FLOAT, 2);
    ModelVerification verification = load(graph, OnnxOptions.defaults());
    assertThatThrownBy(() -> run(verification))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("ONNX Runtime rejects it: ")
        .hasMessageContaining("NoSuchOperator");
  }

  @Test
  void run_ofAModelOfChance_isRefused() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 8)
            .node("Exp", "x", "a")
            .node("RandomNormalLike", "a", "y")
            .output("y", TestGraph.FLOAT, 8);
    ModelVerification verification = load(graph, OnnxOptions.defaults());
    assertThatThrownBy(() -> run(verification))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            folder.resolve("test.onnx")
                + ": operator 1 (RandomNormalLike): computes random values, which differ from run to run; expected a model without random operators");
  }

  @Test
  void run_inMoreMemoryThanTheMachineHas_isRefused() throws Exception {
    ModelVerification verification = load(branches(), OnnxOptions.defaults());
    long[] offsets = new long[verification.problem().records().size()];
    OffsetsAssignment plan = OffsetsAssignment.of(offsets, 1L << 50);
    assertThatThrownBy(() -> verification.run(plan))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageMatching(
            ".*: needs an arena of 1125899906842624 bytes and inputs of 512 bytes for each of 3 runs, expected at most \\d+ bytes, the free memory of this machine");
  }

  @Test
  void run_inputsOfMoreThan2GiB_areCountedInTheMessage() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, "n")
            .node("Exp", "x", "a")
            .node("Exp", "a", "y")
            .output("y", TestGraph.FLOAT, "n");
    long elements = 1L << 40;
    ModelVerification verification =
        load(graph, OnnxOptions.defaults().withDimension("n", elements));
    assertThatThrownBy(() -> run(verification))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageMatching(
            ".*: needs an arena of \\d+ bytes and inputs of 4398046511104 bytes for each of 3 runs, expected at most \\d+ bytes, the free memory of this machine");
  }

  @Test
  void load_ofAnOptional_isRefused() throws Exception {
    TestGraph made =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 2)
            .node("Optional", "x", "a")
            .node("OptionalGetElement", "a", "y")
            .outputs("y");
    assertThatThrownBy(() -> load(made, OnnxOptions.defaults()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            folder.resolve("test.onnx")
                + ": operator 0 (Optional): computes an optional value, which ONNX Runtime's Java classes do not support; expected a model without optional values");
    TestGraph left =
        new TestGraph()
            .input("isThere", TestGraph.BOOL)
            .node("Identity", "isThere", "y")
            .type("y", TestGraph.optional(TestGraph.tensor(TestGraph.FLOAT, 2)))
            .outputs("y");
    assertThatThrownBy(() -> load(left, OnnxOptions.defaults()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            folder.resolve("test.onnx")
                + ": 'y': is an optional value, which ONNX Runtime's Java classes do not support; expected a model without optional values");
  }

  static Stream<long[]> wrongPlans() {
    return Stream.of(
        new long[] {0, 512, 1024, 1536},
        new long[] {0, 512, 1024, 1536, 32},
        new long[] {0, 512, 1024, 1536, 1L << 40});
  }

  @ParameterizedTest
  @MethodSource("wrongPlans")
  void run_ofAPlanThatIsNotOfTheProblem_isRefused(long[] offsets) throws Exception {
    ModelVerification verification = load(branches(), OnnxOptions.defaults());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> verification.run(OffsetsAssignment.of(offsets, 4096)));
  }
}
