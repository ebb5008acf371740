package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.AssignmentChecker;
import dev.stowage.core.plan.MemoryStrategy;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorScope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random networks, run in their plans: views and operators that write in place among them. */
class ModelVerificationRandomTest {

  private static final List<String> ONE_INPUT =
      List.of("Exp", "Relu", "Sigmoid", "Neg", "Abs", "Tanh", "Softmax", "Transpose", "Identity");
  private static final List<String> TWO_INPUTS = List.of("Add", "Sub", "Mul", "Div", "MatMul");

  @TempDir Path folder;

  static LongStream seeds() {
    String asked = System.getProperty("tests.seed", "");
    return asked.isEmpty() ? LongStream.range(0, 40) : LongStream.of(Long.parseLong(asked));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_ofARandomNetwork_isIdentical(long seed) throws Exception {
    Path file = Files.write(folder.resolve("test.onnx"), graph(seed).build().toByteArray());
    OnnxOptions unshared = OnnxOptions.defaults();
    OnnxOptions everything = unshared.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withAliases();
    for (OnnxOptions options : List.of(unshared, unshared.withAliases(), everything)) {
      ModelVerification verification = ModelVerification.load(file, options, seed);
      PlanProblem problem = verification.problem();
      OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
      assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
      assertThat(verification.run(plan).outputs())
          .as("%s", options)
          .isNotEmpty()
          .allSatisfy(output -> assertThat(output.isBitIdentical()).isTrue());
    }
  }

  /** Square tensors of one size, so that everything goes with everything. */
  private static TestGraph graph(long seed) {
    Random random = new Random(seed);
    long side = random.nextBoolean() ? 5 : 67;
    TestGraph graph =
        new TestGraph()
            .input("x0", TestGraph.FLOAT, side, side)
            .input("x1", TestGraph.FLOAT, side, side)
            .integers("square", side, side)
            .integers("flat", side * side);
    List<String> made = new ArrayList<>(List.of("x0", "x1"));
    int nodeCount = 3 + random.nextInt(25);
    for (int i = 0; i < nodeCount; i++) {
      // Mostly what was made last, as in networks.
      String first = made.get(made.size() - 1 - random.nextInt(Math.min(3, made.size())));
      String second = made.get(random.nextInt(made.size()));
      String result = "v" + i;
      switch (random.nextInt(4)) {
        case 0 -> graph.node(any(ONE_INPUT, random), first, result);
        case 1, 2 -> graph.node(any(TWO_INPUTS, random), first + " " + second, result);
        default -> {
          graph.node("Reshape", first + " flat", result + "flat");
          graph.node("Relu", result + "flat", result + "more");
          graph.node("Reshape", result + "more square", result);
        }
      }
      made.add(result);
    }
    Set<String> outputs = new HashSet<>(Set.of("v" + (nodeCount - 1)));
    outputs.add("v" + random.nextInt(nodeCount));
    outputs.stream().sorted().forEach(graph::outputs);
    return graph;
  }

  private static String any(List<String> operators, Random random) {
    return operators.get(random.nextInt(operators.size()));
  }
}
