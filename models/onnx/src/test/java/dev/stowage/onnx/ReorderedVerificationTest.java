package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.onnx.file.OnnxModelWriter;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs of models in random orders of their operators. */
class ReorderedVerificationTest {

  @TempDir Path folder;

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_randomLegalOrder_isIdenticalInBothOrders(long seed) throws Exception {
    Random random = new Random(seed);
    Path file = folder.resolve("in.onnx");
    Files.write(file, graph(random).build().toByteArray());
    OnnxOptions options = OnnxOptions.defaults();
    for (OnnxOptions each : List.of(options, options.withAliases())) {
      OnnxProblem read = OnnxReader.read(file, each);
      List<Integer> order = read.orderInFile(legalOrder(read.operators(), random));

      // The operators run in the new order, and ONNX Runtime runs the file in its own.
      ModelVerification reordered = ModelVerification.load(file, each.withOrder(order), seed);

      PlanProblem problem = reordered.problem();
      assertIdentical(reordered, order);
      // The written copy has the same plan, and ONNX Runtime runs it in the new order.
      Path copy = folder.resolve(each.isAliased() ? "aliased.onnx" : "copy.onnx");
      OnnxModelWriter.write(file, order, copy);
      assertThat(OnnxReader.read(copy, each).problem())
          .isEqualTo(problem.withAlignment(1))
          .isEqualTo(OnnxReader.read(file, each.withOrder(order)).problem());
      assertIdentical(ModelVerification.load(copy, each, seed), order);
    }
  }

  private static void assertIdentical(ModelVerification verification, List<Integer> order)
      throws IOException {
    VerificationReport report =
        verification.run(MemoryStrategy.OPTIMAL.planOffsets(verification.problem()));
    assertThat(report.outputs()).isNotEmpty();
    assertThat(report.isIdentical()).as("%s", order).isTrue();
  }

  private static List<Integer> legalOrder(OperatorGraph graph, Random random) {
    List<Integer> order = new ArrayList<>();
    while (order.size() < graph.operatorCount()) {
      int[] ready =
          IntStream.range(0, graph.operatorCount())
              .filter(operator -> !order.contains(operator))
              .filter(
                  operator -> IntStream.of(graph.predecessors(operator)).allMatch(order::contains))
              .toArray();
      order.add(ready[random.nextInt(ready.length)]);
    }
    return order;
  }

  /** Square tensors, with views, an If that captures values, and constants. */
  private static TestGraph graph(Random random) {
    TestGraph graph =
        new TestGraph()
            .input("x0", TestGraph.FLOAT, 5, 5)
            .input("x1", TestGraph.FLOAT, 5, 5)
            .input("condition", TestGraph.BOOL)
            .integers("square", 5, 5)
            .integers("flat", 25);
    List<String> made = new ArrayList<>(List.of("x0", "x1"));
    int count = 3 + random.nextInt(15);
    for (int i = 0; i < count; i++) {
      String a = made.get(random.nextInt(made.size()));
      String b = made.get(made.size() - 1 - random.nextInt(Math.min(3, made.size())));
      String result = "v" + i;
      switch (random.nextInt(5)) {
        case 0 -> graph.node("Sigmoid", a, result);
        case 1 -> graph.node("MatMul", a + " " + b, result);
        case 2 -> {
          graph.node("Reshape", a + " flat", result + "flat");
          graph.node("Tanh", result + "flat", result + "more");
          graph.node("Reshape", result + "more square", result);
        }
        case 3 ->
            graph.node(
                "If",
                "condition",
                result,
                TestGraph.body("then_branch", branch("Add", a, b)),
                TestGraph.body("else_branch", branch("Sub", a, b)));
        default -> graph.node("Mul", a + " " + b, result);
      }
      made.add(result);
    }
    made.stream()
        .filter(name -> name.startsWith("v"))
        .forEach(name -> {
          if (name.equals("v" + (count - 1)) || random.nextInt(6) == 0) {
            graph.outputs(name);
          }
        });
    return graph;
  }

  private static TestGraph branch(String operator, String a, String b) {
    return new TestGraph().node(operator, a + " " + b, "inner").outputs("inner");
  }
}
