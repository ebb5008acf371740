package dev.stowage.onnxbudget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.budget.MemoryBudget;
import dev.stowage.budget.MemoryPart;
import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.SampleAxis;
import dev.stowage.onnxbudget.memory.CreationMemory;
import dev.stowage.onnxbudget.memory.EngineSettings;
import dev.stowage.onnxbudget.memory.OptimizedModel;
import dev.stowage.onnxbudget.memory.SessionUse;
import dev.stowage.onnxbudget.memory.WorkspaceCalibration;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Budgets compared with predictions for single shapes. */
class OnnxBudgetTest {

  private static final Path MODEL = SampleModels.examples().resolve("tiny_cnn.onnx");

  private static final int SESSIONS = 4;
  private static final List<String> WEIGHT_PARTS =
      List.of("weights", "packed weights", "freed weights", "freed weights (sessions)");

  private static long running(MemoryBudget budget, String name) {
    return budget.parts().stream()
        .filter(part -> part.name().equals(name))
        .mapToLong(MemoryPart::runningBytes)
        .sum();
  }

  @Test
  void profile_atRandomShapes_hasTheTensorsOfThePredictions() throws IOException {
    OnnxBudget read =
        OnnxBudget.of(
            MODEL,
            EngineSettings.defaults(),
            Map.of(),
            List.of(new SampleAxis("batch", List.of(1L, 2L, 4L, 8L, 16L))),
            EngineConstants.shipped(),
            Optional.empty());
    ModelBudget profile = ModelBudget.parse(read.budget().toProfile());
    OptimizedModel model = OptimizedModel.load(MODEL, EngineSettings.defaults());
    Random random = new Random(1);

    for (int i = 0; i < 10; i++) {
      long batch = 1L + random.nextInt(16);
      int sessions = 1 + random.nextInt(3);
      MemoryBudget budget = profile.at(DimensionValues.of("batch", batch), sessions, 1);
      SessionUse use = model.use(Map.of("batch", batch), Map.of(), WorkspaceCalibration.none());

      // 3 x 32 x 32 floats and 10 floats for each image
      assertThat(running(budget, "inputs")).isEqualTo(12_288L * sessions * batch);
      assertThat(running(budget, "inputs")).isEqualTo(sessions * use.inputBytes());
      assertThat(running(budget, "outputs")).isEqualTo(40L * sessions * batch);
      if (Long.bitCount(batch) == 1) {
        assertThat(running(budget, "activations")).isEqualTo(sessions * use.activationBytes());
      }
    }
  }

  @Test
  void weights_ofSessions_areAtLeastTheSimulatedMemory() throws IOException {
    ModelBudget budget =
        OnnxBudget.of(
                MODEL,
                EngineSettings.defaults(),
                Map.of("batch", 1L),
                List.of(),
                EngineConstants.shipped(),
                Optional.empty())
            .budget();
    CreationMemory creation =
        OptimizedModel.load(MODEL, EngineSettings.defaults()).creation(SESSIONS);

    for (int sessions = 1; sessions <= SESSIONS; sessions++) {
      MemoryBudget memory = budget.at(DimensionValues.of("batch", 1), sessions, 1);
      long weights = WEIGHT_PARTS.stream().mapToLong(name -> running(memory, name)).sum();
      assertThat(weights).isGreaterThanOrEqualTo(creation.residentBytes().get(sessions - 1));
    }
  }
}
