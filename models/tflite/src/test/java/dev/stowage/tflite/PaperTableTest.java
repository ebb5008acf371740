package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The plans of the examples, compared with those of TensorFlow Lite's code for the same networks.
 *
 * <p>The networks and the strategies are those of Pisarchyk and Lee (arXiv 2001.03288); the numbers
 * are results of the original implementation.
 */
class PaperTableTest {

  private static final double MEBIBYTE = 1 << 20;

  private static final List<ExampleNetwork> NETWORKS =
      List.of(
          ExampleNetwork.MOBILENET_V1,
          ExampleNetwork.MOBILENET_V2,
          ExampleNetwork.DEEPLAB_V3,
          ExampleNetwork.INCEPTION_V3,
          ExampleNetwork.POSENET);

  /* MiB of the intermediate tensors: graph inputs and outputs are not planned. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # row                   | v1 224 | v2 224 | DeepLab | Inception | PoseNet
          tensors                 | 30     | 65     | 69      | 125       | 27
          naive                   | 19.248 | 26.313 | 48.716  | 54.749    | 29.510
          equality                | 8.912  | 17.544 | 25.622  | 32.843    | 19.611
          greedy in order         | 4.594  | 8.039  | 7.168   | 11.412    | 6.126
          greedy by breadth       | 4.594  | 6.891  | 6.769   | 10.437    | 6.690
          greedy by size, objects | 4.594  | 6.699  | 7.168   | 10.437    | 6.126
          min-cost flow           | 5.359  | 7.513  | 8.497   | 11.334    | 7.722
          lower bound, objects    | 4.594  | 6.604  | 6.105   | 9.038     | 6.126
          greedy by size, offsets | 4.594  | 5.742  | 4.653   | 7.913     | 6.094
          lower bound, offsets    | 4.594  | 5.742  | 4.320   | 7.913     | 6.094
          """)
  void plan_networksOfThePaper_takesTheBytesOfTheOriginal(
      String row, String v1, String v2, String deepLab, String inception, String poseNet)
      throws IOException {
    List<String> cells = new ArrayList<>();
    for (ExampleNetwork network : NETWORKS) {
      cells.add(cell(row, TfliteReader.read(network.file(), TensorScope.INTERMEDIATES).problem()));
    }
    assertThat(cells).containsExactly(v1, v2, deepLab, inception, poseNet);
  }

  private static String cell(String row, PlanProblem problem) {
    return switch (row) {
      case "tensors" -> String.valueOf(problem.records().size());
      case "lower bound, objects" -> mebibytes(LowerBounds.of(problem).objectsBytes());
      case "lower bound, offsets" -> mebibytes(LowerBounds.of(problem).offsetsBytes());
      case "greedy by size, offsets" ->
          mebibytes(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).totalBytes());
      default -> mebibytes(objectsStrategy(row).planObjects(problem).totalBytes());
    };
  }

  private static MemoryStrategy objectsStrategy(String row) {
    return switch (row) {
      case "naive" -> MemoryStrategy.NAIVE;
      case "equality" -> MemoryStrategy.EQUALITY;
      case "greedy in order" -> MemoryStrategy.GREEDY_IN_ORDER;
      case "greedy by breadth" -> MemoryStrategy.GREEDY_BY_BREADTH;
      case "greedy by size, objects" -> MemoryStrategy.GREEDY_BY_SIZE;
      case "min-cost flow" -> MemoryStrategy.MINCOSTFLOW;
      default -> throw new AssertionError("a row without a strategy: " + row);
    };
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.3f", bytes / MEBIBYTE);
  }
}
