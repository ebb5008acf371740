package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.core.MalformedInputException;
import dev.stowage.core.plan.MemoryStrategy;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.TensorScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ModelVerificationTest {

  private static final long SEED = 1;

  @TempDir Path folder;

  /** Two branches of four values each, of which two live at a time. */
  private static TestGraph branches() {
    return new TestGraph()
        .input("x", TestGraph.FLOAT, 8, 16)
        .node("Exp", "x", "a")
        .node("Sigmoid", "x", "b")
        .node("Transpose", "b", "c")
        .node("MatMul", "a c", "d")
        .node("Softmax", "d", "e")
        .node("MatMul", "e a", "y")
        .output("y", TestGraph.FLOAT, 8, 16);
  }

  private Path write(TestGraph graph) throws IOException {
    return write(graph.build());
  }

  private Path write(ModelProto model) throws IOException {
    return Files.write(folder.resolve("test.onnx"), model.toByteArray());
  }

  private ModelVerification load(TestGraph graph, OnnxOptions options) throws IOException {
    return ModelVerification.load(write(graph), options, SEED);
  }

  private static VerificationReport run(ModelVerification verification) throws IOException {
    return verification.run(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(verification.problem()));
  }

  private VerificationReport run(TestGraph graph) throws IOException {
    return run(load(graph, OnnxOptions.defaults().withAliases()));
  }

  @ParameterizedTest
  @EnumSource(names = {"NAIVE", "GREEDY_BY_SIZE", "TFLM_GREEDY", "OPTIMAL"})
  void run_inThePlanOfAStrategy_isIdentical(MemoryStrategy strategy) throws Exception {
    ModelVerification verification = load(branches(), OnnxOptions.defaults());
    VerificationReport report = verification.run(strategy.planOffsets(verification.problem()));
    assertThat(report.isIdentical()).isTrue();
    assertThat(report.outputs())
        .singleElement()
        .satisfies(output -> {
          assertThat(output.name()).isEqualTo("y");
          assertThat(output.elementCount()).isEqualTo(128);
          assertThat(output.maxAbsDifference()).isZero();
          assertThat(output.optimizedMaxAbsDifference()).isLessThan(1e-5);
        });
    assertThat(report.enginePeakBytes()).isPresent();
  }

  @Test
  void run_whereTwoLiveTensorsOverlap_isNotIdentical() throws Exception {
    ModelVerification verification = load(branches(), OnnxOptions.defaults());
    OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(verification.problem());
    long[] offsets = plan.offsets().clone();
    // a is read by the last operator; b is written after it.
    offsets[1] = offsets[0];
    VerificationReport report = verification.run(OffsetsAssignment.of(offsets, plan.totalBytes()));
    assertThat(report.isIdentical()).isFalse();
    assertThat(report.outputs().getFirst().maxAbsDifference()).isGreaterThan(1e-3);
  }

  @Test
  void run_whereAResultLiesOnItsOperand_isNotIdentical() throws Exception {
    // Operators that work element by element could do that, but not by this problem.
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 8, 16)
            .node("Exp", "x", "a")
            .node("Neg", "a", "b")
            .node("Tanh", "b", "y")
            .outputs("y");
    ModelVerification verification = load(graph, OnnxOptions.defaults());
    OffsetsAssignment plan = OffsetsAssignment.of(new long[2], 512);
    assertThat(verification.run(plan).isIdentical()).isFalse();
  }

  @Test
  void run_whereATensorIsReadAfterItsEnd_isNotIdentical() throws Exception {
    // A plan for records whose lifetimes end early is wrong although nothing overlaps in it.
    ModelVerification verification = load(branches(), OnnxOptions.defaults());
    long[] offsets = new long[verification.problem().records().size()];
    Arrays.setAll(offsets, i -> i == 2 ? 0 : 1024L * i);
    VerificationReport report = verification.run(OffsetsAssignment.of(offsets, 8192));
    assertThat(report.isIdentical()).isFalse();
  }

  @Test
  void run_withInputsAndOutputsInTheArena_isIdentical() throws Exception {
    OnnxOptions options =
        OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withAliases();
    ModelVerification verification = load(branches(), options);
    assertThat(verification.problem().records()).hasSize(6); // the softmax writes in place
    assertThat(run(verification).isIdentical()).isTrue();
  }

  @Test
  void problem_ofViewsAndElementwiseOperators_sharesTheirInput() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 4, 6)
            .integers("shape", 6, 4)
            .node("Exp", "x", "a")
            .node("Relu", "a", "b")
            .node("Reshape", "b shape", "c")
            .node("Tanh", "c", "d")
            .node("MatMul", "d b", "e")
            .node("Add", "e e", "y")
            .outputs("y");
    ModelVerification unshared = load(graph, OnnxOptions.defaults());
    ModelVerification shared = load(graph, OnnxOptions.defaults().withAliases());
    assertThat(unshared.problem().records()).hasSize(5);
    // a, b and c are one; d is not, since b is read after it.
    assertThat(shared.problem().records()).hasSize(3);
    assertThat(shared.unsharedBytes()).isEqualTo(unshared.problem().naiveBytes());
    assertThat(run(unshared).isIdentical()).isTrue();
    assertThat(run(shared).isIdentical()).isTrue();
  }

  @Test
  void run_ofASizeKnownOnlyThen_plansTheSizeOfThatRun() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.BOOL, 10)
            .node("NonZero", "x", "indices")
            .node("Neg", "indices", "y")
            .output("y", TestGraph.INT64, 1, "found");
    ModelVerification verification = load(graph, OnnxOptions.defaults());
    assertThat(verification.problem().records())
        .singleElement()
        .satisfies(record -> assertThat(record.bytes()).isBetween(8L, 80L));
    assertThat(run(verification).isIdentical()).isTrue();
  }

  @Test
  void run_ofBodiesThatReadAroundThem_isIdentical() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 8)
            .input("isRight", TestGraph.BOOL)
            .node("Exp", "x", "a")
            .node("Sigmoid", "x", "b")
            .node("Neg", "b", "c")
            .node(
                "If",
                "isRight",
                "d",
                TestGraph.body(
                    "then_branch",
                    new TestGraph().node("Add", "a c", "left").output("left", TestGraph.FLOAT, 8)),
                TestGraph.body(
                    "else_branch",
                    new TestGraph()
                        .node("Sub", "a b", "right")
                        .output("right", TestGraph.FLOAT, 8)))
            .node("Mul", "d x", "y")
            .outputs("y");
    assertThat(run(graph).isIdentical()).isTrue();
  }

  @Test
  void run_ofOutputsThatNoOperatorMakes_isIdentical() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 3)
            .integers("weights", 1, 2, 3)
            .node("Constant", "", "constant", TestGraph.value(TestGraph.tensorOf(4, 5)))
            .node("Exp", "x", "y")
            .output("y", TestGraph.FLOAT, 3)
            .output("weights", TestGraph.INT64, 3)
            .output("constant", TestGraph.INT64, 2);
    VerificationReport report = run(graph);
    assertThat(report.outputs())
        .extracting(VerifiedOutput::name)
        .containsExactly("y", "weights", "constant");
    assertThat(report.isIdentical()).isTrue();
  }

  @Test
  void run_ofWeightsInAnotherFile_readsThem() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 2, 3)
            .node("MatMul", "x w", "a")
            .node("Exp", "a", "y")
            .outputs("y");
    // Its size is not in the file either.
    graph.input("mask", TestGraph.BOOL, 4).node("NonZero", "mask", "z").outputs("z");
    ModelProto.Builder model = graph.build().toBuilder();
    model
        .getGraphBuilder()
        .addInitializer(
            TensorProto.newBuilder()
                .setName("w")
                .setDataType(TestGraph.FLOAT)
                .addDims(3)
                .addDims(4)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                .addExternalData(entry("location", "weights.bin"))
                .addExternalData(entry("offset", "16"))
                .addExternalData(entry("length", "48")));
    ByteBuffer weights = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 16; i++) {
      weights.putFloat(0.5f * i);
    }
    Files.write(folder.resolve("weights.bin"), weights.array());
    Path file = write(model.build());
    assertThat(run(ModelVerification.load(file, OnnxOptions.defaults(), SEED)).isIdentical())
        .isTrue();
    Files.write(folder.resolve("weights.bin"), new byte[20]);
    ModelVerification cut = ModelVerification.load(file, OnnxOptions.defaults(), SEED);
    assertThatThrownBy(() -> run(cut)).isInstanceOf(MalformedInputException.class);
    Files.delete(folder.resolve("weights.bin"));
    assertThatThrownBy(() -> run(cut))
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            file
                + ": initializer 'w': lies in 'weights.bin', expected a file in the model's folder");
  }

  private static StringStringEntryProto entry(String key, String value) {
    return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
  }

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
        .isInstanceOf(MalformedInputException.class)
        .hasMessageEndingWith(
            "input 's': is of kind sequence, which cannot be made up; expected a tensor of numbers with less than 2^31 bytes");
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
        .isInstanceOf(MalformedInputException.class)
        .hasMessageContaining("ONNX Runtime refuses it: ")
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
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            folder.resolve("test.onnx")
                + ": operator 1 (RandomNormalLike): makes values by chance, others than in ONNX Runtime's own run; expected a model whose outputs can be compared");
  }

  @Test
  void run_inMoreMemoryThanThereIs_isRefused() throws Exception {
    ModelVerification verification = load(branches(), OnnxOptions.defaults());
    long[] offsets = new long[verification.problem().records().size()];
    OffsetsAssignment plan = OffsetsAssignment.of(offsets, 1L << 50);
    assertThatThrownBy(() -> verification.run(plan))
        .isInstanceOf(MalformedInputException.class)
        .hasMessageMatching(
            ".*: needs an arena of 1125899906842624 bytes, expected at most the \\d+ bytes that this machine has left");
  }

  @Test
  void run_ofOperatorsInHalfPrecision_isIdentical() throws Exception {
    // Left to itself, ONNX Runtime rounds none of a, b and c.
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT16, 8, 50)
            .node("Exp", "x", "a")
            .node("Tanh", "a", "b")
            .node("Mul", "b a", "c")
            .node("Sub", "c x", "d")
            .node("Add", "d c", "y")
            .output("d", TestGraph.FLOAT16, 8, 50)
            .outputs("y");
    assertThat(run(graph).isIdentical()).isTrue();
  }

  @Test
  void run_ofElementsThatTheLibraryDoesNotKnow_isIdentical() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 8, 50)
            .type("b", TestGraph.INT4, 8, 50)
            .node("Exp", "x", "a")
            .node("Cast", "a", "b", TestGraph.integer("to", TestGraph.INT4))
            .node("Cast", "b", "c", TestGraph.integer("to", TestGraph.FLOAT))
            .node("Neg", "c", "y")
            .outputs("y");
    ModelProto.Builder model = graph.build().toBuilder().setIrVersion(10);
    model.getOpsetImportBuilder(0).setVersion(21);
    ModelVerification verification =
        ModelVerification.load(write(model.build()), OnnxOptions.defaults(), SEED);
    VerificationReport report = run(verification);
    assertThat(report.isIdentical()).isTrue();
    assertThat(report.notes())
        .containsExactly(
            "ONNX Runtime takes no memory of ours for 1 planned tensor, whose elements or size its library for Java does not know: b");
  }

  @Test
  void run_ofAnOperatorThatWritesOverInputs_isIdentical() throws Exception {
    // In training mode, ONNX Runtime's own run has results where the inputs are.
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 2, 3, 5)
            .input("mean", TestGraph.FLOAT, 3)
            .input("variance", TestGraph.FLOAT, 3)
            .weights("scale", 3)
            .node("Identity", "mean", "a")
            .node("Identity", "variance", "b")
            .node(
                "BatchNormalization",
                "x scale scale a b",
                "y c d",
                TestGraph.integer("training_mode", 1))
            .node("Identity", "c", "newMean")
            .node("Identity", "d", "newVariance")
            .outputs("y newMean newVariance");
    assertThat(run(graph).isIdentical()).isTrue();
  }

  @Test
  void problem_ofViewsOfInputs_leavesThemThere() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 4, 6)
            .integers("shape", 6, 4)
            .node("Reshape", "x shape", "a")
            .node("Identity", "a", "b")
            .node("Relu", "b", "c")
            .node("MatMul", "c x", "d")
            .node("Relu", "d", "e")
            .node("Flatten", "x", "y")
            .node("MatMul", "e b", "z")
            .outputs("y z");
    ModelVerification shared = load(graph, OnnxOptions.defaults().withAliases());
    // Of c, and of d and e.
    assertThat(shared.problem().records()).hasSize(2);
    assertThat(run(shared).isIdentical()).isTrue();
    assertThat(run(load(graph, OnnxOptions.defaults())).isIdentical()).isTrue();
    OnnxOptions everything =
        OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withAliases();
    assertThat(run(load(graph, everything)).isIdentical()).isTrue();
  }

  @Test
  void problem_ofOperatorsThatConvertOrMoveElements_sharesTheirInput() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 4, 4)
            .node("Exp", "x", "a")
            .node("Cast", "a", "b", TestGraph.integer("to", TestGraph.INT32))
            .node("Cast", "b", "c", TestGraph.integer("to", TestGraph.FLOAT))
            .node("Shrink", "c", "d")
            .node("Trilu", "d", "e")
            .node("Cast", "e", "f", TestGraph.integer("to", TestGraph.INT64))
            .node("ScatterElements", "f f f", "g") // reads again what it would write over
            .node("ScatterElements", "g f f", "h")
            .node("Neg", "h", "y")
            .outputs("y");
    ModelVerification shared = load(graph, OnnxOptions.defaults().withAliases());
    // Of a to e, of f, and of g and h.
    assertThat(shared.problem().records()).hasSize(3);
    assertThat(run(shared).isIdentical()).isTrue();
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
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            folder.resolve("test.onnx")
                + ": operator 0 (Optional): makes an optional value, which ONNX Runtime's library for Java cannot hold; expected values that are always there");
    TestGraph left =
        new TestGraph()
            .input("isThere", TestGraph.BOOL)
            .node("Identity", "isThere", "y")
            .type("y", TestGraph.optional(TestGraph.tensor(TestGraph.FLOAT, 2)))
            .outputs("y");
    assertThatThrownBy(() -> load(left, OnnxOptions.defaults()))
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            folder.resolve("test.onnx")
                + ": 'y': is optional, which ONNX Runtime's library for Java cannot hold; expected values that are always there");
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
