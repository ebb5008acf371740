package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.onnx.layout.ShapesVerification;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.strategy.OptimalPlanner;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models that run in the arenas of one layout for all shapes. */
class ShapesVerificationTest {

  private static final long SEED = 7;

  @TempDir private Path folder;

  private static ShapeLayout layout(ShapesVerification shapes) {
    return OptimalPlanner.planShapes(
        shapes.problem(), SearchOptions.defaults().withNodeLimit(20_000));
  }

  @Test
  void shapes_ofTwoDimensions_areTheCornersAndRandomShapes() throws IOException {
    ShapesVerification shapes =
        ShapesVerification.load(
            model(TestGraph.FLOAT),
            OnnxOptions.defaults(),
            DimensionRanges.of(new DimensionRange("b", 1, 9), new DimensionRange("s", 2, 5)));

    List<DimensionValues> all = shapes.shapes(3, SEED);
    assertThat(all.subList(0, 4))
        .extracting(DimensionValues::toString)
        .containsExactly("b=1, s=2", "b=9, s=5", "b=9, s=2", "b=1, s=5");
    assertThat(all.size()).isBetween(5, 7);
    assertThat(all).allMatch(shapes.problem().ranges()::contains).doesNotHaveDuplicates();
    assertThat(shapes.shapes(3, SEED)).isEqualTo(all);
  }

  /*
   *   x [b, s] -> Relu -> a -> Concat(a, a) -> c -> NonZero -> places (unknown size) -> Cast -> y
   */
  private Path model(int elements) throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", elements, "b", "s")
            .node("Relu", "x", "a")
            .node("Concat", "a a", "c", TestGraph.integer("axis", 1))
            .node("Relu", "c", "d")
            .node("NonZero", "d", "places")
            .node("Cast", "places", "y", TestGraph.integer("to", TestGraph.FLOAT))
            .outputs("y");
    return Files.write(folder.resolve("model.onnx"), graph.build().toByteArray());
  }

  @Test
  void plan_sizesOfARun_areAfterTheLayout() throws IOException {
    ShapesVerification shapes =
        ShapesVerification.load(
            model(TestGraph.FLOAT),
            OnnxOptions.defaults(),
            DimensionRanges.of(new DimensionRange("b", 1, 9), new DimensionRange("s", 2, 50)));
    ShapeLayout layout = layout(shapes);

    for (DimensionValues shape : shapes.shapes(3, SEED)) {
      ModelVerification verification = shapes.at(shape, SEED, () -> false, _ -> {});
      OffsetsAssignment plan = shapes.plan(layout, shape, verification);
      int last = verification.problem().records().size() - 1;
      TensorUsageRecord places = verification.problem().records().get(last);
      assertThat(places.name()).isEqualTo("places");
      assertThat(plan.offset(last)).isGreaterThanOrEqualTo(layout.totalBytes(shape));
      assertThat(plan.totalBytes()).isEqualTo(plan.offset(last) + places.bytes());
      assertThat(verification.run(plan).isIdentical()).as("%s", shape).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void run_exampleAtAllCorners_isIdentical(boolean isAliased) throws IOException {
    OnnxOptions io = OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    assertIdentical(
        SampleModels.examples().resolve("tiny_cnn.onnx"),
        isAliased ? io.withAliases() : io,
        DimensionRanges.of(new DimensionRange("batch", 1, 6)));
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
  void run_realModelAtAllCorners_isIdentical(Path file, String dimensions) throws IOException {
    assertIdentical(
        file,
        OnnxOptions.defaults().withAliases(),
        OnnxReaderSymbolicModelsTest.ranges(dimensions));
  }

  private static void assertIdentical(Path file, OnnxOptions options, DimensionRanges ranges)
      throws IOException {
    ShapesVerification shapes = ShapesVerification.load(file, options, ranges);
    ShapeLayout layout = layout(shapes);
    Set<Long> sizes = new HashSet<>();
    for (DimensionValues shape : shapes.shapes(2, SEED)) {
      ModelVerification verification = shapes.at(shape, SEED, () -> false, _ -> {});
      OffsetsAssignment plan = shapes.plan(layout, shape, verification);
      assertThat(plan.totalBytes()).isEqualTo(layout.totalBytes(shape));
      assertThat(verification.run(plan).isIdentical()).as("%s", shape).isTrue();
      sizes.add(plan.totalBytes());
    }
    assertThat(sizes).hasSizeGreaterThan(1);
  }

  /** All records at offset 0: the run must notice. */
  @Test
  void run_layoutWithOverlaps_isNotIdentical() throws IOException {
    ShapesVerification shapes =
        ShapesVerification.load(
            SampleModels.examples().resolve("tiny_cnn.onnx"),
            OnnxOptions.defaults(),
            DimensionRanges.of(new DimensionRange("batch", 1, 6)));
    ShapeLayout wrong =
        ShapeLayout.constant(shapes.problem(), new long[shapes.problem().records().size()]);
    DimensionValues shape = DimensionValues.of("batch", 3);

    ModelVerification verification = shapes.at(shape, SEED, () -> false, _ -> {});
    assertThat(verification.run(shapes.plan(wrong, shape, verification)).isIdentical()).isFalse();
  }
}
