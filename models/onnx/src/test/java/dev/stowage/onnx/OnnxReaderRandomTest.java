package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.body;
import static dev.stowage.onnx.TestGraph.value;
import static dev.stowage.onnx.TestGraph.zeros;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.TensorUses;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random graphs, compared with the naive reader. */
class OnnxReaderRandomTest {

  private static final int SEED_COUNT = 50;
  private static final int GRAPHS_PER_SEED = 40;

  static LongStream seeds() {
    return Seeds.of(SEED_COUNT);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_anyGraph_agreesWithTheNaiveReader(long seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < GRAPHS_PER_SEED; i++) {
      ModelProto model = shuffled(new RandomGraph(random).build(), random);
      for (TensorScope scope : TensorScope.values()) {
        assertAgrees("seed %s, graph %s".formatted(seed, i), model, scope);
      }
    }
  }

  private static void assertAgrees(String what, ModelProto model, TensorScope scope)
      throws IOException {
    List<String> expected =
        NaiveOnnxReader.read(model, scope == TensorScope.WITH_INPUTS_AND_OUTPUTS).orElseThrow();
    ByteBuffer bytes = ByteBuffer.wrap(model.toByteArray());
    OnnxOptions options = OnnxOptions.defaults().withScope(scope);

    OnnxProblem problem = OnnxReader.read("random", bytes, options);
    assertThat(ProblemText.of(problem)).as(what).isEqualTo(expected);
    assertThat(problem.nodes()).as(what).hasSize(model.getGraph().getNodeCount());

    assertUses(what, model, problem);

    // With sharing, each name occurs once, and a record lives as long as all values that share it.
    OnnxProblem shared = OnnxReader.read("random", bytes, options.withAliases());
    assertUses(what, model, shared);
    List<String> names = new ArrayList<>(ProblemText.names(shared.tensors()));
    shared.tensors().forEach(tensor -> tensor.views().forEach(view -> names.add(view.name())));
    List<String> unshared = ProblemText.names(problem.tensors());
    List<String> inArena = new ArrayList<>(unshared);
    if (scope == TensorScope.INTERMEDIATES) {
      inArena.removeAll(NaiveOnnxReader.viewsOfInputs(model));
    }
    assertThat(names).as(what).containsExactlyInAnyOrderElementsOf(inArena);
    List<TensorUsageRecord> records = problem.problem().records();
    for (int i = 0; i < shared.tensors().size(); i++) {
      PlannedTensor tensor = shared.tensors().get(i);
      long lastTask = records.get(unshared.indexOf(tensor.name())).lastTask();
      for (PlannedTensor.View view : tensor.views()) {
        lastTask = Math.max(lastTask, records.get(unshared.indexOf(view.name())).lastTask());
      }
      assertThat(shared.problem().records().get(i).lastTask()).as(what).isEqualTo(lastTask);
    }
  }

  private static void assertUses(String what, ModelProto model, OnnxProblem problem) {
    List<TensorUses> expected = new ArrayList<>();
    for (PlannedTensor tensor : problem.tensors()) {
      Set<String> sharing = new HashSet<>(Set.of(tensor.name()));
      for (PlannedTensor.View view : tensor.views()) {
        sharing.add(view.name());
        assertThat(NaiveOnnxReader.producer(model, view.name())).as(what).hasValue(view.producer());
      }
      expected.add(
          new TensorUses(
              NaiveOnnxReader.producer(model, tensor.name()),
              NaiveOnnxReader.readers(model, sharing)));
    }
    assertThat(problem.tensors()).extracting(PlannedTensor::uses).as(what).isEqualTo(expected);
  }

  /** Files with operators in any order. */
  private static ModelProto shuffled(ModelProto model, Random random) {
    if (random.nextInt(3) > 0) {
      return model;
    }
    List<NodeProto> nodes = new ArrayList<>(model.getGraph().getNodeList());
    Collections.shuffle(nodes, random);
    GraphProto graph = model.getGraph().toBuilder().clearNode().addAllNode(nodes).build();
    return model.toBuilder().setGraph(graph).build();
  }

  /** Draws the numbers of operators, constants, bodies and outputs from the seed. */
  private static final class RandomGraph {

    private static final String[] OPERATORS = {
      "Relu", "Add", "Reshape", "Identity", "Concat", "Constant", "RandomNormal", "Flatten"
    };

    private final Random random;
    private final TestGraph graph = new TestGraph();
    private final List<String> names = new ArrayList<>();
    private final int nodeCount;
    private final int constantShare;
    private final int bodyShare;
    private final int outputShare;

    RandomGraph(Random random) {
      this.random = random;
      nodeCount = random.nextInt(25);
      constantShare = 1 + random.nextInt(4);
      bodyShare = 2 + random.nextInt(20);
      outputShare = 1 + random.nextInt(8);
    }

    ModelProto build() {
      addInputs();
      for (int i = 0; i < nodeCount; i++) {
        addNode(i);
      }
      return graph.build();
    }

    private void addInputs() {
      int inputCount = 1 + random.nextInt(3);
      for (int i = 0; i < inputCount; i++) {
        Object[] shape = shape();
        graph.input("x" + i, elements(), shape);
        if (random.nextInt(4) == 0) {
          graph.weights("x" + i, 2);
        }
        names.add("x" + i);
      }
      for (int i = 0; i < constantShare; i++) {
        graph.weights("w" + i, 3).sparseWeights("s" + i, 3);
        names.add("w" + i);
        names.add("s" + i);
      }
      names.add("missing");
    }

    private void addNode(int i) {
      String operator = OPERATORS[random.nextInt(OPERATORS.length)];
      StringBuilder inputs = new StringBuilder();
      boolean readsNothing = operator.equals("Constant") || operator.equals("RandomNormal");
      int inputCount = readsNothing ? 0 : 1 + random.nextInt(3);
      for (int k = 0; k < inputCount; k++) {
        inputs.append(k == 0 ? "" : " ").append(random.nextInt(8) == 0 ? "_" : anyName());
      }
      List<String> outputs = new ArrayList<>();
      int outputCount = random.nextInt(6) == 0 ? 2 : 1;
      for (int k = 0; k < outputCount; k++) {
        String name = "n" + i + (k == 0 ? "" : "b");
        outputs.add(random.nextInt(12) == 0 ? "_" : name);
        graph.type(name, elements(), shape());
      }
      AttributeProto[] attributes = {};
      if (operator.equals("Constant")) {
        attributes = new AttributeProto[] {value(zeros(1))};
      } else if (random.nextInt(bodyShare) == 0) {
        attributes = new AttributeProto[] {body("body", randomBody(2))};
      }
      graph.node(operator, inputs.toString(), String.join(" ", outputs), attributes);
      for (String name : outputs) {
        if (!name.equals("_")) {
          names.add(name);
          if (random.nextInt(outputShare) == 0) {
            graph.outputs(name);
          }
        }
      }
    }

    private TestGraph randomBody(int depth) {
      TestGraph body = new TestGraph();
      String local = random.nextBoolean() ? "local" : anyName();
      body.input(local, FLOAT);
      if (random.nextBoolean()) {
        body.weights(anyName(), 1);
      }
      body.node("Add", anyName() + " " + anyName(), "made");
      if (depth > 0 && random.nextBoolean()) {
        body.node("If", "made", "deep", body("then_branch", randomBody(depth - 1)));
      }
      return body.outputs(random.nextBoolean() ? "made" : anyName());
    }

    private String anyName() {
      return names.get(random.nextInt(names.size()));
    }

    private int elements() {
      int[] codes = {1, 1, 1, 7, 9, 10, 22, 25};
      return codes[random.nextInt(codes.length)];
    }

    private Object[] shape() {
      Object[] shape = new Object[random.nextInt(4)];
      for (int i = 0; i < shape.length; i++) {
        shape[i] = random.nextInt(15) == 0 ? 0 : 1 + random.nextInt(9);
      }
      return shape;
    }
  }
}
