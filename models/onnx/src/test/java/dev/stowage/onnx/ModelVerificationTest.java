package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs in planned memory with identical outputs, and wrong plans that are detected. */
class ModelVerificationTest extends VerifiedGraphs {

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
    // The last operator reads a, after b is written.
    offsets[1] = offsets[0];
    VerificationReport report = verification.run(OffsetsAssignment.of(offsets, plan.totalBytes()));
    assertThat(report.isIdentical()).isFalse();
    assertThat(report.outputs().getFirst().maxAbsDifference()).isGreaterThan(1e-3);
  }

  @Test
  void run_whereAResultLiesOnItsOperand_isNotIdentical() throws Exception {
    // Elementwise operators could work in place, but this problem does not permit it.
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
    // A plan for records with too short lifetimes is wrong, although its records do not overlap.
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
    assertThat(verification.problem().records()).hasSize(7);
    // The softmax may write in place.
    assertThat(verification.problem().inPlace()).containsExactly(new InPlace(5, 4));
    assertThat(run(verification).isIdentical()).isTrue();
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
        .extracting(VerificationReport.Output::name)
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
    // The file also lacks its size.
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
    assertThatThrownBy(() -> run(cut)).isInstanceOf(MalformedFileException.class);
    Files.delete(folder.resolve("weights.bin"));
    assertThatThrownBy(() -> run(cut))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            file
                + ": initializer 'w': is in 'weights.bin', expected a file in the folder of the model");
  }

  private static StringStringEntryProto entry(String key, String value) {
    return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
  }

  @Test
  void run_ofOperatorsInHalfPrecision_isIdentical() throws Exception {
    // Without inserted operators, ONNX Runtime does not round a, b and c.
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
            "ONNX Runtime's Java classes do not support the type or size of 1 planned tensor in planned memory: b");
  }

  @Test
  void run_ofAnOperatorThatWritesOverInputs_isIdentical() throws Exception {
    // In training mode, ONNX Runtime's own run writes results over inputs.
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
}
