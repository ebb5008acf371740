package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workspaces from profiles compared with the requests of ONNX Runtime. */
class ProfiledWorkspacesTest {

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(20);
  }

  /** A product that has no rule. */
  private static ModelProto einsum(long rows, long inner, long columns) {
    return new WorkspaceModels.Model("Einsum")
        .attribute("equation", "aij,ajk->aik")
        .input(DataType.FLOAT_VALUE, 2, rows, inner)
        .input(DataType.FLOAT_VALUE, 2, inner, columns)
        .build();
  }

  private static EngineSettings settings() {
    return EngineSettings.defaults().withOptimizationLevel(0).withoutPattern();
  }

  private Path write(ModelProto model) throws Exception {
    return Files.write(folder.resolve("model.onnx"), model.toByteArray());
  }

  private static long bytes(WorkspaceCalibration calibration) {
    return calibration.workspaces().stream().mapToLong(OperatorWorkspace::bytes).sum();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void of_anOperatorWithoutRule_isAtLeastItsRequests(long seed) throws Exception {
    Random random = new Random(seed);
    Path file =
        write(einsum(1 + random.nextInt(60), 1 + random.nextInt(60), 1 + random.nextInt(60)));
    EngineSettings settings = settings();
    RecordedRuns runs = RecordedRuns.of(file, Map.of(), settings, 1);
    OptimizedModel model = OptimizedModel.of("model", runs.original(), runs.optimized(), settings);
    long requested = bytes(RecordedWorkspaces.of(model, Map.of(), runs));

    ProfiledSession session =
        ProfiledSession.of(file, folder, settings, List.of(Map.of(), Map.of()));
    WorkspaceCalibration limited = model.profiled(session.of(file));
    WorkspaceCalibration counted = model.profiled(session.of(file).with(session.statistics()));
    assertThat(bytes(limited)).isGreaterThanOrEqualTo(requested);
    assertThat(bytes(counted)).isBetween(requested, bytes(limited));
    assertThat(EnginePrediction.of(model, Map.of(), limited).notes()).isEmpty();
    assertThat(EnginePrediction.of(model, Map.of(), limited).withWorkspace().maxInUseBytes())
        .isGreaterThanOrEqualTo(session.arena().peakBytes());
  }

  @Test
  void of_aSessionWithOtherThreads_isEmpty() throws Exception {
    Path file = write(einsum(3, 4, 5));
    ProfiledSession session = ProfiledSession.of(file, folder, settings(), List.of(Map.of()));
    OptimizedModel model = OptimizedModel.load(file, settings().withThreads(2));
    ProfiledModel profiled = session.of(file).with(session.statistics());
    assertThat(model.profiled(profiled).workspaces()).isEmpty();
  }
}
