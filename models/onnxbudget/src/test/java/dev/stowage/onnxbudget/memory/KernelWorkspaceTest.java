package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import dev.stowage.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules for workspaces compared with the requests of ONNX Runtime, for random shapes. */
class KernelWorkspaceTest {

  private static final long SMALL_BYTES = 4096;

  @TempDir private Path folder;

  private record Workspaces(long predicted, long requested, List<String> notes) {}

  static Stream<Arguments> exact() {
    return cases(WorkspaceModels.exact());
  }

  static Stream<Arguments> bounded() {
    return cases(WorkspaceModels.bounded());
  }

  private static Stream<Arguments> cases(List<String> operators) {
    return operators.stream()
        .flatMap(operator -> Seeds.of(2).mapToObj(seed -> Arguments.of(operator, seed)));
  }

  @ParameterizedTest
  @MethodSource("exact")
  void of_randomShapes_areTheRequestsOfTheEngine(String operator, long seed) throws Exception {
    int threads = seed % 2 == 0 ? 1 : 2;
    Workspaces workspaces = workspaces(WorkspaceModels.random(operator, new Random(seed)), threads);
    assertThat(workspaces.predicted()).isEqualTo(workspaces.requested());
    assertThat(workspaces.notes()).isEmpty();
  }

  /** The requests depend on the cache of the processor, or the rule adds up small ones. */
  @ParameterizedTest
  @MethodSource("bounded")
  void of_randomShapes_areAtLeastTheRequestsOfTheEngine(String operator, long seed)
      throws Exception {
    int threads = seed % 2 == 0 ? 1 : 2;
    Workspaces workspaces = workspaces(WorkspaceModels.random(operator, new Random(seed)), threads);
    assertThat(workspaces.predicted())
        .isBetween(workspaces.requested(), 2 * workspaces.requested() + SMALL_BYTES);
    assertThat(workspaces.notes()).isEmpty();
  }

  /** The request of these versions for a convolution of each channel, with one thread. */
  @ParameterizedTest
  @CsvSource({"V1_20, 65536", "V1_23, 134784", "V1_26, 134784", "V1_28, 65536", "V1_29, 65536"})
  void of_convolutionInOtherVersion_isTheRecordedRequest(EngineVersion version, long bytes)
      throws Exception {
    ModelProto model =
        new WorkspaceModels.Model("Conv")
            .attribute("group", 2)
            .input(DataType.FLOAT_VALUE, 2, 2, 54, 74)
            .weight(DataType.FLOAT_VALUE, 2, 1, 3, 3)
            .build();
    OptimizedModel optimized =
        OptimizedModel.of("model", model, model, settings(1).withVersion(version));
    assertThat(
            EnginePrediction.of(optimized, Map.of(), WorkspaceCalibration.none()).workspaceBytes())
        .isEqualTo(bytes);
  }

  /** Older versions requested up to 8,960 bytes more than the rule, of 146,176 bytes. */
  @ParameterizedTest
  @EnumSource(EngineVersion.class)
  void of_attentionBefore129_isUnknown(EngineVersion version) throws Exception {
    ModelProto model = WorkspaceModels.random("Attention", new Random(1));
    OptimizedModel optimized =
        OptimizedModel.of("model", model, model, settings(1).withVersion(version));
    EnginePrediction prediction =
        EnginePrediction.of(optimized, Map.of(), WorkspaceCalibration.none());
    if (version == EngineVersion.V1_29) {
      assertThat(prediction.workspaceBytes()).isPositive();
      assertThat(prediction.notes()).isEmpty();
    } else {
      assertThat(prediction.workspaceBytes()).isZero();
      assertThat(prediction.notes())
          .containsExactly("the workspace of 1 Attention operator is unknown and not counted");
    }
  }

  @Test
  void of_unfoldedImagesOfTooManyBytes_isAnError() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> {
          ModelProto model =
              new WorkspaceModels.Model("Conv")
                  .input(DataType.FLOAT_VALUE, 2, 2, 1L << 30, 1L << 28)
                  .weight(DataType.FLOAT_VALUE, 2, 2, 3, 3)
                  .build();
          OptimizedModel optimized =
              OptimizedModel.of(
                  "model", model, model, settings(64).withVersion(EngineVersion.V1_26));
          EnginePrediction.of(optimized, Map.of(), WorkspaceCalibration.none());
        });
  }

  @Test
  void notes_einsumWithoutRule_nameTheOperator() throws Exception {
    ModelProto model =
        new WorkspaceModels.Model("Einsum")
            .attribute("equation", "ij,jk->ik")
            .input(DataType.FLOAT_VALUE, 3, 4)
            .input(DataType.FLOAT_VALUE, 4, 5)
            .build();
    assertThat(workspaces(model, 1).notes())
        .containsExactly("the workspace of 1 Einsum operator is unknown and not counted");
  }

  @Test
  void notes_measuredOperatorWithoutRule_areEmpty() throws Exception {
    ModelProto model =
        new WorkspaceModels.Model("Einsum")
            .attribute("equation", "ij,jk->ik")
            .input(DataType.FLOAT_VALUE, 3, 4)
            .input(DataType.FLOAT_VALUE, 4, 5)
            .build();
    EngineSettings settings = settings(1);
    RecordedRuns runs = RecordedRuns.of(write(model), Map.of(), settings, 1);
    OptimizedModel optimized =
        OptimizedModel.of("model", runs.original(), runs.optimized(), settings);
    WorkspaceCalibration calibration = RecordedWorkspaces.of(optimized, Map.of(), runs);
    assertThat(EnginePrediction.of(optimized, Map.of(), calibration).notes()).isEmpty();
  }

  private Workspaces workspaces(ModelProto model, int threads) throws Exception {
    EngineSettings settings = settings(threads);
    RecordedRuns runs = RecordedRuns.of(write(model), Map.of(), settings, 1);
    OptimizedModel optimized =
        OptimizedModel.of("model", runs.original(), runs.optimized(), settings);
    assertThat(runs.operators()).hasSize(1);
    EnginePrediction prediction =
        EnginePrediction.of(optimized, Map.of(), WorkspaceCalibration.none());
    return new Workspaces(
        prediction.workspaceBytes(),
        RunPrediction.workspace(runs.operators().getFirst()).stream()
            .mapToLong(Long::longValue)
            .sum(),
        prediction.notes().stream().filter(note -> note.contains("workspace")).toList());
  }

  private Path write(ModelProto model) throws Exception {
    return Files.write(folder.resolve("model.onnx"), model.toByteArray());
  }

  private static EngineSettings settings(int threads) {
    return EngineSettings.defaults().withOptimizationLevel(0).withThreads(threads).withoutPattern();
  }
}
