package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.testing.SampleSource;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;

class ModelVerificationRealModelsTest {

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "light_squeezenet, ",
        "light_shufflenet, ",
        "light_inception_v1, ",
        "fastestdet, ",
        "yunet_n_640, ",
        "ultraface_rfb320, ",
        "dtln_model_1, ",
        "gpt2_past_one_layer, batch_size=1 seq_len=3 past_seq_len=4",
        "scan_1, Sequence=5",
        "silero_vad, input[0]=1 input[1]=256 state[1]=1",
        "polygraphy_loop, ",
      })
  void run_ofARealModel_isIdenticalInNoMoreMemoryThanTheEngines(Path file, String dimensions)
      throws Exception {
    OnnxOptions options = OnnxOptions.defaults().withAliases();
    if (!dimensions.isEmpty()) {
      for (String dimension : dimensions.split(" ", -1)) {
        int at = dimension.indexOf('=');
        long size = Long.parseLong(dimension.substring(at + 1));
        options = options.withDimension(dimension.substring(0, at), size);
      }
    }
    ModelVerification verification = ModelVerification.load(file, options, 1);
    PlanProblem problem = verification.problem();
    OffsetsAssignment plan = VerifiedGraphs.plan(problem);
    VerificationReport report = verification.run(plan);
    assertThat(report.isIdentical()).isTrue();
    assertThat(report.outputs()).isNotEmpty();
    assertThat(report.plannedBytes())
        .isBetween(LowerBounds.of(problem).offsetsBytes(), report.enginePeakBytes().orElseThrow());
  }
}
