package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs of random networks in their plans, with views and operators that write in place. */
class ModelVerificationRandomTest {

  private static final List<String> ONE_INPUT =
      List.of("Exp", "Relu", "Sigmoid", "Neg", "Abs", "Tanh", "Softmax", "Transpose", "Identity");

  /** Operators whose results differ from their inputs and are finite. */
  private static final List<String> CHANGING =
      List.of("Sigmoid", "Neg", "Tanh", "Softmax", "Transpose");

  /** Operators whose results depend on the order of their operands. */
  private static final List<String> ORDERED = List.of("Sub", "Div", "MatMul");

  private static final List<String> TWO_INPUTS = List.of("Add", "Sub", "Mul", "Div", "MatMul");

  @TempDir Path folder;

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_ofARandomNetwork_isIdentical(long seed) throws Exception {
    Path file = write(graph(seed, ONE_INPUT, TWO_INPUTS));
    OnnxOptions unshared = OnnxOptions.defaults();
    OnnxOptions everything = unshared.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withAliases();
    for (OnnxOptions options : List.of(unshared, unshared.withAliases(), everything)) {
      ModelVerification verification = ModelVerification.load(file, options, seed);
      PlanProblem problem = verification.problem();
      assertThat(problem)
          .isEqualTo(
              OnnxReader.read(file, options)
                  .problem()
                  .withAlignment(ModelVerification.ALIGNMENT_BYTES));
      OffsetsAssignment greedy = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
      for (OffsetsAssignment plan : List.of(greedy, VerifiedGraphs.plan(problem))) {
        assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
        assertThat(verification.run(plan).outputs())
            .as("%s", options)
            .isNotEmpty()
            .allSatisfy(output -> assertThat(output.isBitIdentical()).isTrue());
      }
    }
  }

  private Path write(TestGraph graph) throws IOException {
    return Files.write(folder.resolve("test.onnx"), graph.build().toByteArray());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_ofALiveTensorMovedOntoAnother_isNotIdentical(long seed) throws Exception {
    Path file = write(graph(seed, CHANGING, ORDERED));
    ModelVerification verification =
        ModelVerification.load(file, OnnxOptions.defaults().withAliases(), seed);
    List<TensorUsageRecord> records = verification.problem().records();
    OffsetsAssignment plan = VerifiedGraphs.plan(verification.problem());
    for (int i = 1; i < records.size(); i++) {
      // The previous value is read while this one is live.
      if (records.get(i - 1).lastTask() >= records.get(i).firstTask()) {
        long[] offsets = plan.offsets().clone();
        offsets[i] = offsets[i - 1];
        OffsetsAssignment broken = OffsetsAssignment.of(offsets, plan.totalBytes());
        if (AssignmentChecker.violation(verification.problem(), broken).isPresent()) {
          assertThat(verification.run(broken).isIdentical()).as("%d onto %d", i, i - 1).isFalse();
        }
      }
    }
  }

  /**
   * Square tensors of one size, so that all can be operands of each other. No tensor is subtracted
   * from itself, so that results are not zero.
   */
  private static TestGraph graph(long seed, List<String> oneInput, List<String> twoInputs) {
    Random random = new Random(seed);
    long side = random.nextBoolean() ? 5 : 67;
    TestGraph graph =
        new TestGraph()
            .input("x0", TestGraph.FLOAT, side, side)
            .input("x1", TestGraph.FLOAT, side, side)
            .integers("square", side, side)
            .integers("flat", side * side);
    List<String> made = new ArrayList<>(List.of("x0", "x1"));
    Set<String> unread = new TreeSet<>();
    int nodeCount = 3 + random.nextInt(25);
    for (int i = 0; i < nodeCount; i++) {
      // Mostly one of the last values, as in networks.
      String first = made.get(made.size() - 1 - random.nextInt(Math.min(3, made.size())));
      String second = any(made.stream().filter(name -> !name.equals(first)).toList(), random);
      String result = "v" + i;
      unread.remove(first);
      switch (random.nextInt(4)) {
        case 0 -> graph.node(any(oneInput, random), first, result);
        case 1, 2 -> {
          graph.node(any(twoInputs, random), first + " " + second, result);
          unread.remove(second);
        }
        default -> {
          graph.node("Reshape", first + " flat", result + "flat");
          graph.node("Sigmoid", result + "flat", result + "more");
          graph.node("Reshape", result + "more square", result);
        }
      }
      made.add(result);
      unread.add(result);
    }
    // Values without readers are outputs, so that all operators affect an output.
    unread.add("v" + random.nextInt(nodeCount));
    unread.forEach(graph::outputs);
    return graph;
  }

  private static String any(List<String> names, Random random) {
    return names.get(random.nextInt(names.size()));
  }
}
