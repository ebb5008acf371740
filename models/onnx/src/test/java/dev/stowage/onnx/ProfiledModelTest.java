package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.integer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.engine.RecordedProfile;
import dev.stowage.onnx.engine.RunShapes;
import dev.stowage.onnx.profile.ServiceProfile;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.SampleSource;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles of ONNX Runtime compared with the models that it ran. */
class ProfiledModelTest {

  private static final int FLOAT_CODE = 1;

  @TempDir private Path folder;

  /** A model with tensors whose sizes depend on data: as many elements as x has cosines. */
  private static TestGraph nonZero() {
    return new TestGraph()
        .input("x", FLOAT, "batch", 4)
        .node("Cos", "x", "a")
        .node("NonZero", "a", "n")
        .node("Transpose", "n", "t")
        .node("Cast", "t", "c", integer("to", FLOAT_CODE))
        .node("Sin", "c", "s")
        .node("Relu", "s", "y")
        .outputs("y");
  }

  private Path write(TestGraph graph) throws Exception {
    return Files.write(folder.resolve("model.onnx"), graph.build().toByteArray());
  }

  private Path profile(Path model, int level, long... batches) throws Exception {
    List<Map<String, Long>> shapes =
        Arrays.stream(batches).mapToObj(batch -> Map.of("batch", batch)).toList();
    return RecordedProfile.of(model, folder, level, shapes);
  }

  private static ProfiledModel profiled(Path model, Path profile) throws Exception {
    return profiled(model, Files.readString(profile));
  }

  private static ProfiledModel profiled(Path model, String profile) throws Exception {
    return ProfiledModel.of(model, "profile", new StringReader(profile));
  }

  private static OnnxOptions options(RunShapes run) {
    OnnxOptions options = OnnxOptions.defaults();
    for (Map.Entry<String, Long> dimension : run.dimensions().entrySet()) {
      options = options.withDimension(dimension.getKey(), dimension.getValue());
    }
    for (String tensor : run.types().keySet()) {
      options =
          options.withObservedType(
              tensor, new OnnxTensorType(run.shape(tensor), run.elementType(tensor).orElseThrow()));
    }
    return options;
  }

  private static Map<String, Long> bytes(OnnxProblem problem) {
    Map<String, Long> bytes = new TreeMap<>();
    for (TensorUsageRecord record : problem.problem().records()) {
      bytes.put(record.name(), record.bytes());
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void read_withTheTypesOfARun_hasSizesThatDependOnData(int level) throws Exception {
    Path model = write(nonZero());
    ProfiledModel profiled = profiled(model, profile(model, level, 2, 3));
    RunShapes run = profiled.largest(Map.of()).orElseThrow();
    assertThat(run.dimensions()).isEqualTo(Map.of("batch", 3L));
    OnnxProblem problem = OnnxReader.read(model, options(run));
    assertThat(bytes(problem))
        .isEqualTo(Map.of("a", 48L, "n", 192L, "t", 192L, "c", 96L, "s", 96L));
    assertThat(problem.notes())
        .containsExactly(
            "the sizes of 4 tensors depend on data; the plan uses the sizes in the profiled run: n, t, c, s");
  }

  @Test
  void read_withTheTypeOfOneTensor_infersThoseThatFollow() throws Exception {
    Path model = write(nonZero());
    OnnxOptions options =
        OnnxOptions.defaults()
            .withDimension("batch", 3)
            .withObservedType("n", new OnnxTensorType(List.of(2L, 5L), "INT64"));
    assertThat(bytes(OnnxReader.read(model, options)))
        .isEqualTo(Map.of("a", 48L, "n", 80L, "t", 80L, "c", 40L, "s", 40L));
  }

  @Test
  void largest_ofSomeDimensions_isTheRunWithThem() throws Exception {
    Path model = write(nonZero());
    ProfiledModel profiled = profiled(model, profile(model, 3, 2, 5, 3));
    assertThat(profiled.largest(Map.of("batch", 2L)).orElseThrow().shape("n"))
        .containsExactly(2L, 8L);
    assertThat(profiled.largest(Map.of("batch", 7L))).isEmpty();
    assertThat(profiled.dimensions())
        .containsExactly(Map.of("batch", 5L), Map.of("batch", 3L), Map.of("batch", 2L));
  }

  /** The first run found 12 elements, an edited copy of it 7 and 20. */
  @Test
  void largest_ofRunsWithOtherData_hasTheLargestTypeOfEachTensor() throws Exception {
    Path model = write(nonZero());
    String text =
        Files.readString(RecordedProfile.of(model, folder, 0, List.of(Map.of("batch", 3L))));
    String events = text.substring(text.indexOf('[') + 1, text.lastIndexOf(']'));
    String all =
        "["
            + events
            + ","
            + events.replace("[2,12]", "[2,7]").replace("[12,2]", "[7,2]")
            + ","
            + events.replace("[2,12]", "[2,20]")
            + "]";
    ProfiledModel profiled = profiled(model, all);
    assertThat(profiled.profile().runs()).hasSize(1);
    RunShapes run = profiled.largest(Map.of()).orElseThrow();
    assertThat(run.shape("n")).containsExactly(2L, 20L);
    assertThat(run.shape("t")).containsExactly(12L, 2L);
  }

  /** Each run of the larger batch has a shape of its own, because the data differ. */
  @Test
  void largest_ofManyRunsWithOtherData_hasAlsoTheSmallBatch() throws Exception {
    Path model = write(nonZero());
    String small =
        Files.readString(RecordedProfile.of(model, folder, 0, List.of(Map.of("batch", 2L))));
    String large =
        Files.readString(RecordedProfile.of(model, folder, 0, List.of(Map.of("batch", 3L))));
    StringBuilder all = new StringBuilder(small.substring(0, small.lastIndexOf(']')));
    for (int count = 1; count <= 100; count++) {
      all.append(',')
          .append(
              large
                  .substring(large.indexOf('[') + 1, large.lastIndexOf(']'))
                  .replace("[2,12]", "[2," + 12 * count + "]")
                  .replace("[12,2]", "[" + 12 * count + ",2]"));
    }
    ProfiledModel profiled = profiled(model, all.append(']').toString());
    assertThat(profiled.profile().counts()).isEqualTo(new ServiceProfile.Counts(101, false, false));
    assertThat(profiled.largest(Map.of("batch", 2L)).orElseThrow().shape("n"))
        .containsExactly(2L, 8L);
    assertThat(profiled.largest(Map.of()).orElseThrow().shape("n")).containsExactly(2L, 1200L);
  }

  @Test
  void of_aParallelSession_isAnError() throws Exception {
    Path model = write(nonZero());
    Path profile = RecordedProfile.ofParallel(model, folder, Map.of("batch", 3L));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> profiled(model, profile))
        .withMessage(
            "profile: has operators in other threads than their run, expected a session with ExecutionMode.SEQUENTIAL");
  }

  @Test
  void of_aFileThatIsNoModel_isItsError() throws Exception {
    Path profile = profile(write(nonZero()), 0, 3);
    Path other =
        write(new TestGraph().input("x", FLOAT, 4).node("NoOperator", "x", "y").outputs("y"));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> profiled(other, profile))
        .withMessageStartingWith(other + ": ONNX Runtime rejects it: ");
  }

  @Test
  void of_anotherModel_isAnError() throws Exception {
    Path model = write(nonZero());
    Path profile = profile(model, 0, 3);
    Path other = write(TestGraph.residual());
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> profiled(other, profile))
        .withMessage(
            "%s: is not a profile of %s: 0 of its 6 operators are in the model", "profile", other);
  }

  @Test
  void of_aModelWithOtherShapes_isAnError() throws Exception {
    Path model = write(TestGraph.residual());
    Path profile = RecordedProfile.of(model, folder, 0, List.of(Map.of()));
    Path other =
        write(
            new TestGraph()
                .input("x", FLOAT, 1, 5)
                .node("Relu", "x", "a")
                .node("Relu", "a", "b")
                .node("Add", "a b", "y")
                .output("y", FLOAT, 1, 5));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> profiled(other, profile))
        .withMessage(
            "%s: is not a profile of %s: operator 'Relu_0' read input 'x' as [1, 4], which the model declares as [1, 5]",
            "profile", other);
  }

  @Test
  void of_aModelWithOtherTensors_isAnError() throws Exception {
    Path model =
        write(
            new TestGraph()
                .input("x", FLOAT, 4)
                .node("Cast", "x", "y", integer("to", 7))
                .outputs("y"));
    Path profile = RecordedProfile.of(model, folder, 0, List.of(Map.of()));
    Path other =
        write(
            new TestGraph()
                .input("x", FLOAT, 4)
                .node("Cast", "x", "y", integer("to", 6))
                .outputs("y"));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> profiled(other, profile))
        .withMessage(
            "%s: is not a profile of %s: tensor 'y' is [4], which follows from the model as [4]",
            "profile", other);
  }

  /** {@code of} compares the sizes of all tensors in both with those that follow from the model. */
  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "basic_pitch_nmp, unk__749=1",
        "gpt2_past_one_layer, batch_size=1 seq_len=3 past_seq_len=4",
        "light_inception_v1, ",
        "light_shufflenet, ",
        "polygraphy_loop, ",
        "scan_1, Sequence=5",
        "yunet_n_640, ",
      })
  void of_realModels_findsTheOperatorsAndDimensions(Path file, String dimensions) throws Exception {
    Map<String, Long> sizes = new TreeMap<>();
    for (String dimension : dimensions.isEmpty() ? new String[0] : dimensions.split(" ", -1)) {
      int at = dimension.indexOf('=');
      sizes.put(dimension.substring(0, at), Long.parseLong(dimension.substring(at + 1)));
    }
    ProfiledModel profiled = profiled(file, RecordedProfile.of(file, folder, 3, List.of(sizes)));
    assertThat(profiled.dimensions()).containsExactly(sizes);
    assertThat(profiled.foundCount()).isEqualTo(profiled.operatorCount());
    assertThat(profiled.profile().counts().runCount()).isEqualTo(1);
  }
}
