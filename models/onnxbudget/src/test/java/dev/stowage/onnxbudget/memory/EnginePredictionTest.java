package dev.stowage.onnxbudget.memory;

import static dev.stowage.onnxbudget.memory.RecordedUse.use;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Predictions compared with the requests and the statistics of ONNX Runtime. */
class EnginePredictionTest {

  /** The differences of models with bodies, some of whose tensors have no known size. */
  private static final long TOLERANCE_BYTES = 64 << 10;

  private record Case(Path model, Map<String, Long> dimensions) {

    static Case of(Path model, String dimensions) {
      Map<String, Long> sizes = new TreeMap<>();
      if (!dimensions.isEmpty()) {
        for (String dimension : dimensions.split(" ", -1)) {
          int at = dimension.lastIndexOf('=');
          sizes.put(dimension.substring(0, at), Long.parseLong(dimension.substring(at + 1)));
        }
      }
      return new Case(model, sizes);
    }

    RecordedRuns runs(EngineSettings settings) throws Exception {
      return RecordedRuns.of(model, dimensions, settings, 2);
    }

    OptimizedModel optimized(RecordedRuns runs, EngineSettings settings) throws Exception {
      return OptimizedModel.of(model.toString(), runs.original(), runs.optimized(), settings);
    }
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "basic_pitch_nmp, unk__749=1",
        "byte_sb_bidi_lstm, batch=1 length=16",
        "dtln_model_1, ",
        "fastestdet, ",
        "gpt2_past_12layer_tiny_dims, batch_size=1 seq_len=4",
        "gpt2_past_one_layer, batch_size=1 seq_len=3 past_seq_len=4",
        "light_densenet121, ",
        "light_inception_v1, ",
        "light_inception_v2, ",
        "light_shufflenet, ",
        "light_squeezenet, ",
        "node_test_lstm_with_peepholes, ",
        "ultraface_rfb320, ",
        "yolox_nano_416, ",
        "yunet_n_640, ",
      })
  void predict_realModel_isExact(Path file, String dimensions) throws Exception {
    Case sample = Case.of(file, dimensions);
    EngineSettings settings = EngineSettings.defaults();
    RecordedRuns runs = sample.runs(settings);
    OptimizedModel model = sample.optimized(runs, settings);
    WorkspaceCalibration calibration = RecordedWorkspaces.of(model, sample.dimensions(), runs);
    EnginePrediction prediction = EnginePrediction.of(model, sample.dimensions(), calibration);
    assertThat(prediction.laterRuns()).isEqualTo(use(RecordedUse.withoutWorkspaces(runs)));
    assertThat(prediction.withWorkspace()).isEqualTo(use(RecordedUse.all(runs)));
    assertThat(prediction.load()).isEqualTo(use(runs.load()));
    assertThat(prediction.notes()).isEmpty();
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "light_resnet50, ",
        "node_test_if_seq, ",
        "node_test_scan9_sum, ",
        "polygraphy_loop, ",
        "scan_1, Sequence=5",
        "silero_vad, input[0]=1 input[1]=256 state[1]=1",
        "tf_bert_keras2onnx, batch_size=1",
      })
  void predict_bodiesOrOtherThreads_isWithin64KiB(Path file, String dimensions) throws Exception {
    Case sample = Case.of(file, dimensions);
    EngineSettings settings = EngineSettings.defaults().withoutPattern().withThreads(2);
    RecordedRuns runs = sample.runs(settings);
    EnginePrediction prediction =
        EnginePrediction.of(
            sample.optimized(runs, settings), sample.dimensions(), WorkspaceCalibration.none());
    assertThat(prediction.laterRuns().maxInUseBytes())
        .isBetween(
            use(RecordedUse.withoutWorkspaces(runs)).maxInUseBytes() - TOLERANCE_BYTES,
            use(RecordedUse.withoutWorkspaces(runs)).maxInUseBytes() + TOLERANCE_BYTES);
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "true, 3", "false, 2"})
  void predict_exampleModel_isExact(boolean hasPattern, long batch) throws Exception {
    Case sample =
        new Case(SampleModels.examples().resolve("tiny_cnn.onnx"), Map.of("batch", batch));
    EngineSettings settings =
        hasPattern ? EngineSettings.defaults() : EngineSettings.defaults().withoutPattern();
    RecordedRuns runs = sample.runs(settings);
    OptimizedModel model = sample.optimized(runs, settings);
    WorkspaceCalibration calibration = RecordedWorkspaces.of(model, sample.dimensions(), runs);
    EnginePrediction prediction = EnginePrediction.of(model, sample.dimensions(), calibration);
    assertThat(prediction.laterRuns()).isEqualTo(use(RecordedUse.withoutWorkspaces(runs)));
    assertThat(prediction.withWorkspace()).isEqualTo(use(RecordedUse.all(runs)));
    assertThat(prediction.firstRun().maxInUseBytes())
        .isLessThanOrEqualTo(prediction.laterRuns().maxInUseBytes());
  }

  @Test
  void predict_withoutArena_isTheSumOfLiveRequests() throws Exception {
    Case sample = new Case(SampleModels.examples().resolve("tiny_cnn.onnx"), Map.of("batch", 1L));
    EngineSettings settings = EngineSettings.defaults().withoutPattern().withoutArena();
    EnginePrediction prediction =
        EnginePrediction.of(
            OptimizedModel.load(sample.model(), settings),
            sample.dimensions(),
            WorkspaceCalibration.none());
    assertThat(prediction.firstRun().maxInUseBytes())
        .isEqualTo(prediction.laterRuns().maxInUseBytes())
        .isGreaterThanOrEqualTo(prediction.keptBytes() + prediction.activationBytes())
        .isLessThanOrEqualTo(
            prediction.keptBytes() + prediction.activationBytes() + prediction.outputBytes());
  }

  @Test
  void predict_dimensionThatTheModelLacks_isRejected() throws Exception {
    Case sample = new Case(SampleModels.examples().resolve("tiny_cnn.onnx"), Map.of("bach", 1L));
    OptimizedModel model = OptimizedModel.load(sample.model(), EngineSettings.defaults());
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(
            () -> EnginePrediction.of(model, sample.dimensions(), WorkspaceCalibration.none()))
        .withMessageEndingWith(
            "the model has no open dimension named bach; its open dimension is batch");
  }

  @Test
  void predict_openDimension_isNoted() throws Exception {
    EnginePrediction prediction =
        EnginePrediction.of(
            OptimizedModel.load(
                SampleModels.examples().resolve("tiny_cnn.onnx"), EngineSettings.defaults()),
            Map.of(),
            WorkspaceCalibration.none());
    assertThat(prediction.notes())
        .singleElement()
        .asString()
        .contains("is unknown and not counted: image, ");
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {"fastestdet", "light_densenet121", "light_inception_v1", "yunet_n_640"})
  void handle_recordedRequests_totalAllocatedIsThatOfTheEnginesArena(Path file) throws Exception {
    Case sample = Case.of(file, "");
    EngineSettings settings = EngineSettings.defaults();
    RecordedRuns runs = sample.runs(settings);
    // A session without weights, whose arena is empty.
    Path empty = SampleModels.folder("models/onnx").resolve("node_test_lstm_with_peepholes.onnx");
    try (SessionOptions options = new SessionOptions();
        OrtSession session =
            OrtEnvironment.getEnvironment().createSession(empty.toString(), options)) {
      List<Request> requests = RecordedUse.all(runs);
      assertThat(use(requests).totalAllocatedBytes())
          .isEqualTo(new EngineArenaCalls(session).totalAllocatedBytes(requests));
    }
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "fastestdet, , 1486848, 164560, 6938624, 6938624, 0",
        "gpt2_past_one_layer, batch_size=1 seq_len=3 past_seq_len=4, 152, 272, 568, 2560, 252",
      })
  void load_realModel_hasTheOptimizedGraph(
      Path file,
      String dimensions,
      long inputBytes,
      long outputBytes,
      long activationBytes,
      long blockBytes,
      long workspaceBytes)
      throws Exception {
    Case sample = Case.of(file, dimensions);
    EnginePrediction prediction =
        EnginePrediction.of(
            OptimizedModel.load(
                sample.model(), EngineSettings.defaults().withCpu(CpuClass.AVX512_VNNI)),
            sample.dimensions(),
            WorkspaceCalibration.none());
    assertThat(prediction.inputBytes()).isEqualTo(inputBytes);
    assertThat(prediction.outputBytes()).isEqualTo(outputBytes);
    assertThat(prediction.activationBytes()).isEqualTo(activationBytes);
    assertThat(prediction.blockBytes()).isEqualTo(blockBytes);
    assertThat(prediction.workspaceBytes()).isEqualTo(workspaceBytes);
  }
}
