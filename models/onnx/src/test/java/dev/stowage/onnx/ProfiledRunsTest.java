package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.integer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.onnx.engine.ProfiledRuns;
import dev.stowage.onnx.engine.RecordedProfile;
import dev.stowage.onnx.profile.ProfiledTensor;
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
class ProfiledRunsTest {

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

  private static List<ProfiledRuns.Run> runs(Path model, Path profile) throws Exception {
    return runs(model, Files.readString(profile));
  }

  private static List<ProfiledRuns.Run> runs(Path model, String profile) throws Exception {
    return ProfiledRuns.read(model, "profile", new StringReader(profile));
  }

  private static OnnxOptions options(ProfiledRuns.Run run) {
    OnnxOptions options = OnnxOptions.defaults();
    for (Map.Entry<String, Long> dimension : run.dimensions().entrySet()) {
      options = options.withDimension(dimension.getKey(), dimension.getValue());
    }
    for (Map.Entry<String, ProfiledTensor> tensor : run.types().entrySet()) {
      options =
          options.withObservedType(
              tensor.getKey(),
              new OnnxTensorType(tensor.getValue().shape(), tensor.getValue().elementType()));
    }
    return options;
  }

  private static List<Long> shape(ProfiledRuns.Run run, String tensor) {
    return run.types().getOrDefault(tensor, new ProfiledTensor(List.of(), "")).shape();
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
    ProfiledRuns.Run run = runs(model, profile(model, level, 2, 3)).getFirst();
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
  void runs_ofSeveralShapes_hasTheLargestFirst() throws Exception {
    Path model = write(nonZero());
    List<ProfiledRuns.Run> runs = runs(model, profile(model, 3, 2, 5, 3));
    assertThat(runs.stream().map(ProfiledRuns.Run::dimensions))
        .containsExactly(Map.of("batch", 5L), Map.of("batch", 3L), Map.of("batch", 2L));
    assertThat(shape(runs.getLast(), "n")).containsExactly(2L, 8L);
  }

  /** The first run found 12 elements, an edited copy of it 7 and 20. */
  @Test
  void runs_withOtherData_hasTheLargestTypeOfEachTensor() throws Exception {
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
    List<ProfiledRuns.Run> runs = runs(model, all);
    assertThat(runs).hasSize(1);
    assertThat(shape(runs.getFirst(), "n")).containsExactly(2L, 20L);
    assertThat(shape(runs.getFirst(), "t")).containsExactly(12L, 2L);
  }

  @Test
  void read_ofAParallelSession_isAnError() throws Exception {
    Path model = write(nonZero());
    Path profile = RecordedProfile.ofParallel(model, folder, Map.of("batch", 3L));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> runs(model, profile))
        .withMessage(
            "profile: has no run, expected a profile of ONNX Runtime in which a session with ExecutionMode.SEQUENTIAL ran");
  }

  @Test
  void read_ofAnotherModel_isAnError() throws Exception {
    Path model = write(nonZero());
    Path profile = profile(model, 0, 3);
    Path other = write(TestGraph.residual());
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> runs(other, profile))
        .withMessage(
            "%s: is not a profile of %s: none of its operators is in the model", "profile", other);
  }

  /** An optimization may fuse the operator that reads the input, whose dimensions are then open. */
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
  void read_ofRealModels_findsTheDimensions(Path file, String dimensions) throws Exception {
    Map<String, Long> sizes = new TreeMap<>();
    for (String dimension : dimensions.isEmpty() ? new String[0] : dimensions.split(" ", -1)) {
      int at = dimension.indexOf('=');
      sizes.put(dimension.substring(0, at), Long.parseLong(dimension.substring(at + 1)));
    }
    List<ProfiledRuns.Run> runs = runs(file, RecordedProfile.of(file, folder, 3, List.of(sizes)));
    assertThat(runs.stream().map(ProfiledRuns.Run::dimensions)).containsExactly(sizes);
  }
}
