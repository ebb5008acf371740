package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Real models, compared with the results of independent readers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnnxReaderRealModelsTest {

  /** The compared figures of a model. */
  private record Summary(int operators, int records, long naiveBytes, long offsetsBound) {}

  /** The problems of the models, each read once, because ONNX Runtime infers missing shapes. */
  private final Map<Path, Map<TensorScope, OnnxProblem>> problems = new HashMap<>();

  private OnnxProblem problem(Path file, TensorScope scope) throws IOException {
    Map<TensorScope, OnnxProblem> ofFile =
        problems.computeIfAbsent(file, _ -> new EnumMap<>(TensorScope.class));
    OnnxProblem problem = ofFile.get(scope);
    if (problem == null) {
      problem = OnnxReader.read(file, OnnxOptions.defaults().withScope(scope));
      ofFile.put(scope, problem);
    }
    return problem;
  }

  @ParameterizedTest
  @ValueSource(strings = {"models/onnx", "models/skeleton"})
  void read_realModels_equalsTheExpectedProblems(String kind) throws IOException {
    for (Path folder : SampleModels.folders(kind)) {
      assertEqualsTheExpectedProblems(folder);
    }
  }

  private void assertEqualsTheExpectedProblems(Path folder) throws IOException {
    JsonNode expected = new ObjectMapper().readTree(folder.resolve("expected.json").toFile());
    Map<String, Summary> expectedSummaries = new TreeMap<>();
    Map<String, Summary> summaries = new TreeMap<>();
    for (Map.Entry<String, JsonNode> model : expected.properties()) {
      for (TensorScope scope : TensorScope.values()) {
        boolean isAll = scope == TensorScope.WITH_INPUTS_AND_OUTPUTS;
        JsonNode records = model.getValue().get(isAll ? "with_io" : "intermediates");
        if (!records.isNull()) {
          expectedSummaries.put(
              model.getKey() + " " + scope,
              new Summary(
                  model.getValue().get("operators").intValue(),
                  records.get("records").intValue(),
                  records.get("naive_bytes").longValue(),
                  records.get("lower_bound_offsets").longValue()));
          OnnxProblem problem = problem(folder.resolve(model.getKey()), scope);
          summaries.put(
              model.getKey() + " " + scope,
              new Summary(
                  problem.nodes().size(),
                  problem.tensors().size(),
                  problem.problem().naiveBytes(),
                  LowerBounds.of(problem.problem()).offsetsBytes()));
        }
      }
    }
    assertThat(summaries).isEqualTo(expectedSummaries).isNotEmpty();
    assertThat(expected.size()).isEqualTo(SampleModels.in(folder, ".onnx").size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"models/onnx", "models/skeleton"})
  void read_realModels_agreesWithTheNaiveReader(String kind) throws IOException {
    int comparedCount = 0;
    for (Path file : SampleModels.all(".onnx", kind)) {
      ModelProto model = ModelProto.parseFrom(Files.readAllBytes(file));
      for (TensorScope scope : TensorScope.values()) {
        Optional<List<String>> expected =
            NaiveOnnxReader.read(model, scope == TensorScope.WITH_INPUTS_AND_OUTPUTS);
        if (expected.isPresent()) {
          OnnxProblem problem = problem(file, scope);
          assertThat(ProblemText.of(problem)).as("%s", file).isEqualTo(expected.get());
          comparedCount++;
        }
      }
    }
    assertThat(comparedCount).isGreaterThan(4);
  }

  /** If open dimensions have sizes, all models except one can be planned. */
  @Test
  void read_realModelsWithDimensions_arePlanned() throws IOException {
    List<String> refused = new ArrayList<>();
    for (Path file : SampleModels.all(".onnx", "models/onnx")) {
      OnnxOptions options = OnnxOptions.defaults();
      while (true) {
        try {
          PlannedValues planned = OnnxReader.load(file, options.withAliases()).planned();
          assertThat(bound(planned.records())).isLessThanOrEqualTo(bound(planned.unshared()));
        } catch (OpenDimensionsException e) {
          for (String name : e.names()) {
            options = options.withDimension(name, 1);
          }
          continue;
        } catch (MalformedFileException e) {
          refused.add(String.valueOf(e.getMessage()).replace(file.getParent() + "/", ""));
        }
        break;
      }
    }
    // ONNX Runtime always rejects this model of the larger set, which concatenates a scalar.
    assertThat(refused)
        .isSubsetOf(
            "bert_squad_12layer_tiny_dims.onnx: ONNX Runtime rejects it: Node (node_63) Op (Concat) [ShapeInferenceError] All inputs to Concat must have same rank. Input 2 has rank 0 != 1");
  }

  private static long bound(List<TensorUsageRecord> records) {
    return LowerBounds.of(PlanProblem.of(records)).offsetsBytes();
  }

  private static List<Object> parts(OnnxProblem model) {
    return List.of(model.problem(), model.tensors(), model.nodes(), model.notes());
  }

  private static boolean areEqual(OperatorGraph first, OperatorGraph second) {
    return first.recordCount() == second.recordCount()
        && first.operatorCount() == second.operatorCount()
        && IntStream.range(0, first.operatorCount())
            .allMatch(k ->
                Arrays.equals(first.records(k), second.records(k))
                    && Arrays.equals(first.predecessors(k), second.predecessors(k)));
  }

  @Test
  void read_bytesInMemory_areReadAsTheFile() throws IOException {
    for (Path file : SampleModels.all(".onnx", "models/skeleton")) {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      OnnxProblem inMemory = OnnxReader.read("memory", bytes, OnnxOptions.defaults());
      OnnxProblem inFile = problem(file, OnnxOptions.defaults().scope());
      assertThat(parts(inMemory)).isEqualTo(parts(inFile));
      assertThat(areEqual(inMemory.operators(), inFile.operators())).isTrue();
      assertThat(bytes.position()).isZero();
    }
  }

  @Test
  void read_corruptModels_givesAPlanOrTheError() throws IOException {
    Path folder = SampleModels.folder("corrupt/onnx");
    List<String> errors = new ArrayList<>();
    for (Path file : SampleModels.in(folder, ".onnx")) {
      try {
        OnnxReader.read(file, OnnxOptions.defaults());
      } catch (MalformedFileException | OpenDimensionsException e) {
        errors.add(String.valueOf(e.getMessage()).replace(folder + "/", ""));
      }
    }
    assertThat(errors)
        .containsExactly(
            "bad_graph_conditionally_invalid.onnx: expected at least one tensor of known size, but all sizes are unknown: res (shape of any rank)",
            "bad_graph_with_dup_value_info.onnx: inputs: 'inp' occurs twice, expected once",
            "bad_graph_with_duplicate_node_names.onnx: ONNX Runtime rejects it: This is an invalid model. Error: two nodes with same node name (identical).",
            "bad_graph_with_parallel_invalid_nodes.onnx: ONNX Runtime rejects it: Node (MatMul_0) Op (MatMul) [ShapeInferenceError] Incompatible dimensions for matrix multiplication",
            "ort_corrupt-model.onnx: is damaged or of another format, expected an ONNX model: Protocol message end-group tag did not match expected tag.",
            "ort_invalid_dim_param_value_repetition.onnx: the sizes of 29 tensors depend on open dimensions: Symbolic");
  }
}
