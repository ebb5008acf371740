package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.plan.incremental.OperatorOrder;
import dev.stowage.plan.search.OrderSearch;
import dev.stowage.plan.search.OrderSearchResult;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The operators of models for searches over their orders, and models read in other orders. */
class OperatorOrdersTest {

  private static final OnnxOptions OPTIONS = OnnxOptions.defaults();

  /*
   *   x -> Concat -> a -> ReduceMax -> c -+
   *          0               2            Add -> y
   *   x -> Concat -> b -> ReduceMax -> d -+  4
   *          1               3
   */
  private static TestGraph branches() {
    return new TestGraph()
        .input("x", TestGraph.FLOAT, 1, 4)
        .node("Concat", "x x", "a", TestGraph.integer("axis", 1))
        .node("Concat", "x x", "b", TestGraph.integer("axis", 1))
        .node("ReduceMax", "a", "c")
        .node("ReduceMax", "b", "d")
        .node("Add", "c d", "y")
        .type("a b", TestGraph.FLOAT, 1, 8)
        .type("c d", TestGraph.FLOAT, 1, 1)
        .output("y", TestGraph.FLOAT, 1, 1);
  }

  @Test
  void operators_branches_finishOneBeforeTheOther() throws IOException {
    OnnxProblem problem = branches().read(OPTIONS);

    OrderSearchResult result =
        OrderSearch.of(problem.problem(), problem.operators(), SearchOptions.defaults()).run();

    assertThat(result.operators()).isIn(List.of(0, 2, 1, 3, 4), List.of(1, 3, 0, 2, 4));
    assertThat(result.assignment().totalBytes()).isEqualTo(4 + 32 + 4);
    OnnxProblem reordered =
        branches().read(OPTIONS.withOrder(problem.orderInFile(List.of(0, 2, 1, 3, 4))));
    assertThat(reordered.notes()).isEmpty();
    assertThat(reordered.nodes()).extracting(OnnxNode::index).containsExactly(0, 1, 2, 3, 4);
    assertThat(lifetimes(reordered)).containsExactly("a 0..1", "c 1..4", "b 2..3", "d 3..4");
  }

  @Test
  void operators_fileThatIsNotExecutable_areThoseOfTheSortedOrder() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 2)
            .node("Neg", "a", "y")
            .node("Abs", "x", "a")
            .type("a", TestGraph.FLOAT, 2)
            .output("y", TestGraph.FLOAT, 2);
    OnnxProblem problem = graph.read(OPTIONS);
    assertThat(problem.nodes()).extracting(OnnxNode::index).containsExactly(1, 0);
    assertThat(problem.orderInFile(List.of(0, 1))).containsExactly(1, 0);
    assertThat(graph.read(OPTIONS.withOrder(List.of(1, 0))).notes()).isEmpty();
  }

  @Test
  void operators_valueThatABodyReads_comesBeforeTheOperator() throws IOException {
    TestGraph body =
        new TestGraph().node("Neg", "big", "inner").output("inner", TestGraph.FLOAT, 2);
    OperatorGraph operators =
        new TestGraph()
            .input("condition", TestGraph.BOOL)
            .input("x", TestGraph.FLOAT, 2)
            .node("Abs", "x", "big")
            .node(
                "If",
                "condition",
                "y",
                TestGraph.body("then_branch", body),
                TestGraph.body("else_branch", body))
            .type("big", TestGraph.FLOAT, 2)
            .output("y", TestGraph.FLOAT, 2)
            .read(OPTIONS)
            .operators();
    assertThat(operators.predecessors(1)).containsExactly(0);
  }

  @Test
  void operators_valuesWithoutRecords_keepTheirReadersAfterThem() throws IOException {
    // Without inputs and outputs of the graph, and without constants.
    OperatorGraph operators =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 2)
            .node("Abs", "x", "y")
            .node("Neg", "y", "z")
            .node("Constant", "", "k", TestGraph.value(TestGraph.zeros(2)))
            .node("Add", "z k", "w")
            .type("y z", TestGraph.FLOAT, 2)
            .output("y", TestGraph.FLOAT, 2)
            .output("w", TestGraph.FLOAT, 2)
            .read(OPTIONS)
            .operators();
    assertThat(operators.recordCount()).isEqualTo(1);
    assertThat(operators.predecessors(1)).containsExactly(0);
    assertThat(operators.predecessors(3)).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void operators_randomAndCustom_keepTheirOrder() throws IOException {
    TestGraph random = new TestGraph().node("RandomNormalLike", "i", "r").outputs("r");
    TestGraph inner = new TestGraph().node("local", "noisy", "i", "r").outputs("r");
    TestGraph graph =
        new TestGraph()
            .function("local", "noisy", "i", "r", random)
            .function("local", "outer", "i", "r", inner)
            .function("local", "pure", "i", "r", new TestGraph().node("Abs", "i", "r"))
            .input("x", TestGraph.FLOAT, 2)
            .input("condition", TestGraph.BOOL)
            .node("RandomUniformLike", "x", "a")
            .node("Abs", "x", "b")
            .node("my.domain", "Log", "x", "c")
            .node("local", "outer", "x", "d")
            .node("local", "pure", "x", "e")
            .node("com.microsoft", "FastGelu", "x", "f")
            .node("com.microsoft", "BiasDropout", "x x", "g")
            .node(
                "If",
                "condition",
                "h",
                TestGraph.body(
                    "then_branch", new TestGraph().node("Bernoulli", "x", "t").outputs("t")),
                TestGraph.body("else_branch", new TestGraph().node("Abs", "x", "t").outputs("t")))
            .type("a b c d e f g h", TestGraph.FLOAT, 2);
    "abcdefgh".chars().forEach(name -> graph.output(Character.toString(name), TestGraph.FLOAT, 2));
    OperatorGraph operators = graph.read(OPTIONS).operators();
    assertThat(predecessors(operators)).containsExactly("", "", "0", "2", "", "", "3", "6");
  }

  @Test
  void operators_viewsThatShareARecord_comeAfterTheirSource() throws IOException {
    OperatorGraph operators =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 2, 2)
            .integers("four", 4)
            .node("Abs", "x", "a")
            .node("Reshape", "a four", "view")
            .node("Neg", "view", "y")
            .node("Exp", "a", "z")
            .type("a", TestGraph.FLOAT, 2, 2)
            .type("view", TestGraph.FLOAT, 4)
            .output("y", TestGraph.FLOAT, 4)
            .output("z", TestGraph.FLOAT, 2, 2)
            .read(OPTIONS.withAliases())
            .operators();
    assertThat(predecessors(operators)).containsExactly("", "0", "0,1", "0");
  }

  @Test
  void operators_constantsOfOneName_keepTheirOrder() throws IOException {
    OperatorGraph operators =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 2)
            .node("Constant", "", "k", TestGraph.value(TestGraph.zeros(2)))
            .node("Constant", "", "k", TestGraph.value(TestGraph.zeros(2)))
            .node("Add", "x k", "y")
            .output("y", TestGraph.FLOAT, 2)
            .read(OPTIONS)
            .operators();
    assertThat(predecessors(operators)).containsExactly("", "0", "1");
  }

  @Test
  void operators_realModels_giveTheLifetimesOfTheRecords() throws IOException {
    List<String> compared = new ArrayList<>();
    for (Path file : SampleModels.all(".onnx", "models/onnx")) {
      try {
        OnnxProblem problem =
            OnnxReader.read(
                file, OPTIONS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withAliases());
        assertThat(
                OperatorOrder.of(problem.problem().withInPlace(List.of()), problem.operators())
                    .problem()
                    .records())
            .as(file.toString())
            .isEqualTo(problem.problem().records());
        compared.add(file.toString());
      } catch (OpenDimensionsException | MalformedFileException e) {
        // Sizes depend on dimensions of the user, or ONNX Runtime rejects the model.
      }
    }
    assertThat(compared).hasSizeGreaterThan(8);
  }

  @Test
  void read_orderThatIsNotOne_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OPTIONS.withOrder(List.of(0, 2)))
        .withMessage("an order must contain each operator from 0 once: order=[0, 2]");
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> branches().read(OPTIONS.withOrder(List.of(1, 0))))
        .withMessage("test.onnx: has 5 operators, expected 2, the number in the requested order");
  }

  private static List<String> predecessors(OperatorGraph graph) {
    return IntStream.range(0, graph.operatorCount())
        .mapToObj(operator ->
            String.join(
                ",",
                IntStream.of(graph.predecessors(operator))
                    .sorted()
                    .mapToObj(Integer::toString)
                    .toList()))
        .toList();
  }

  private static List<String> lifetimes(OnnxProblem problem) {
    return problem.problem().records().stream()
        .map(record -> record.name() + " " + record.firstTask() + ".." + record.lastTask())
        .toList();
  }
}
