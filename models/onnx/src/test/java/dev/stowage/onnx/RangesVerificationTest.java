package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models that are read at several shapes, and run at them in one plan. */
class RangesVerificationTest {

  private static final long SEED = 7;

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();

  @TempDir private Path folder;

  private static OffsetsAssignment plan(RangedProblem problem) {
    return MemoryStrategy.TFLM_GREEDY.planOffsets(
        problem.largest().withAlignment(ModelVerification.ALIGNMENT_BYTES));
  }

  private static DimensionRanges ranges(String text) {
    List<DimensionRange> ranges = new ArrayList<>();
    for (String range : text.split(" ", -1)) {
      String[] parts = range.split("=|\\.\\.", -1);
      ranges.add(new DimensionRange(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2])));
    }
    return new DimensionRanges(ranges);
  }

  /*
   *   x [b, s] -> Relu -> a -> Concat(a, a) -> c -> NonZero -> places (unknown size) -> Cast -> y
   */
  private Path model() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, "b", "s")
            .node("Relu", "x", "a")
            .node("Concat", "a a", "c", TestGraph.integer("axis", 1))
            .node("Relu", "c", "d")
            .node("NonZero", "d", "places")
            .node("Cast", "places", "y", TestGraph.integer("to", TestGraph.FLOAT))
            .outputs("y");
    return Files.write(folder.resolve("model.onnx"), graph.build().toByteArray());
  }

  @Test
  void readRanges_ofTwoDimensions_hasTheLargestSizes() throws IOException {
    RangedOnnxProblem model = OnnxReader.readRanges(model(), DEFAULTS, ranges("b=1..9 s=2..50"));

    assertThat(model.problem().isSampled()).isTrue();
    assertThat(model.problem().points()).hasSize(9);
    assertThat(model.problem().largest().records())
        .extracting(TensorUsageRecord::name, TensorUsageRecord::bytes)
        .containsExactly(tuple("a", 1800L), tuple("c", 3600L), tuple("d", 3600L));
    assertThat(model.tensors().getFirst().type().shape()).containsExactly(9L, 50L);
    assertThat(model.nodes()).hasSize(5);
    assertThat(model.notes()).singleElement().asString().contains("places");
  }

  @Test
  void readRanges_thatCannotBeRead_isAnError() throws IOException {
    Path model = model();

    assertThatThrownBy(() -> OnnxReader.readRanges(model, DEFAULTS, ranges("b=1..9")))
        .isInstanceOf(OpenDimensionsException.class)
        .hasMessageEndingWith("the sizes of 4 tensors depend on open dimensions: s");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            OnnxReader.readRanges(model, DEFAULTS.withDimension("b", 1), ranges("b=1..9 s=1..2")))
        .withMessage("dimension 'b' has a size and a range, expected one");
  }

  /** Three weights can be added to one or to three elements. */
  @Test
  void readRanges_shapesThatAreNotValid_areNoted() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, "n")
            .weights("w", 3)
            .node("Relu", "x", "a")
            .node("Add", "a w", "b")
            .node("Relu", "b", "y")
            .outputs("y");
    Path model = Files.write(folder.resolve("three.onnx"), graph.build().toByteArray());

    RangedOnnxProblem three = OnnxReader.readRanges(model, DEFAULTS, ranges("n=1..4"));
    assertThat(three.problem().points())
        .extracting(DimensionValues::toString)
        .containsExactly("n=1", "n=3");
    assertThat(three.problem().largest().records())
        .extracting(TensorUsageRecord::bytes)
        .containsExactly(12L, 12L);
    assertThat(three.notes()).hasSize(2);
    assertThat(three.notes().getFirst()).startsWith("not valid at n=2: ");
    assertThat(three.notes().getLast()).startsWith("not valid at n=4: ");
    assertThatThrownBy(() -> OnnxReader.readRanges(model, DEFAULTS, ranges("n=4..5")))
        .isInstanceOf(MalformedFileException.class);
  }

  @Test
  void plan_sizesOfARun_areAfterThePlan() throws IOException {
    RangesVerification ranged =
        RangesVerification.load(model(), DEFAULTS, ranges("b=1..9 s=2..50"));
    OffsetsAssignment all = plan(ranged.model().problem());

    for (DimensionValues shape : ranged.model().problem().points()) {
      ModelVerification verification = ranged.at(shape, SEED, () -> false, _ -> {});
      OffsetsAssignment plan = ranged.plan(all, verification);
      int last = verification.problem().records().size() - 1;
      TensorUsageRecord places = verification.problem().records().get(last);
      assertThat(places.name()).isEqualTo("places");
      assertThat(plan.offset(last)).isGreaterThanOrEqualTo(all.totalBytes());
      assertThat(plan.totalBytes()).isEqualTo(plan.offset(last) + places.bytes());
      assertThat(verification.run(plan).isIdentical()).as("%s", shape).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void run_exampleAtAllPoints_isIdentical(boolean isAliased) throws IOException {
    OnnxOptions io = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    assertIdentical(
        SampleModels.examples().resolve("tiny_cnn.onnx"),
        isAliased ? io.withAliases() : io,
        ranges("batch=1..6"));
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "basic_pitch_nmp, unk__749=1..3",
        "byte_sb_bidi_lstm, batch=1..4 length=1..20",
        "scan_1, Sequence=1..20",
      })
  void run_realModelAtAllPoints_isIdentical(Path file, String dimensions) throws IOException {
    assertIdentical(file, DEFAULTS.withAliases(), ranges(dimensions));
  }

  /** At each point, the records are those of the model at this shape, and the plan holds. */
  private static void assertIdentical(Path file, OnnxOptions options, DimensionRanges ranges)
      throws IOException {
    RangesVerification ranged = RangesVerification.load(file, options, ranges);
    RangedProblem problem = ranged.model().problem();
    OffsetsAssignment all = plan(problem);
    for (DimensionValues shape : problem.points()) {
      OnnxOptions fixed = RangedModel.at(options, shape);
      PlanProblem merged = problem.at(shape);
      assertThat(named(merged)).isEqualTo(named(OnnxReader.read(file, fixed).problem()));
      assertThat(AssignmentChecker.violation(merged, all)).as("%s", shape).isEmpty();
      ModelVerification verification = ranged.at(shape, SEED, () -> false, _ -> {});
      assertThat(verification.run(ranged.plan(all, verification)).isIdentical())
          .as("%s", shape)
          .isTrue();
    }
  }

  private static Set<List<Object>> named(PlanProblem problem) {
    return problem.records().stream()
        .filter(record -> record.bytes() > 0)
        .map(record ->
            List.<Object>of(record.name(), record.bytes(), record.firstTask(), record.lastTask()))
        .collect(Collectors.toSet());
  }
}
