package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operators that compute and read the records of a model, in JSON. */
final class PlanCommandUsesTest {

  private static final String CNN = "examples/tiny_cnn.onnx";
  private static final String RANGE = "batch=1..2";

  @TempDir private Path folder;

  private static JsonNode planned(Object file, Object... options) {
    List<Object> arguments = new ArrayList<>(List.of("plan", file, "--format", "json"));
    if (Stream.of(options).noneMatch(option -> option.equals("--bank") || option.equals(RANGE))) {
      arguments.addAll(List.of("--strategy", "GREEDY_BY_SIZE", "--kind", "offsets"));
    }
    arguments.addAll(List.of(options));
    CommandRun run = CommandRun.of(arguments.toArray());
    assertThat(run.exitCode()).as("%s", run).isZero();
    return JsonMapper.shared().readTree(run.out());
  }

  /** {@return a text for each record: {@code a: 0 -> [1, 2], views [{"name": "b", …}]}} */
  private static List<String> uses(JsonNode report) {
    List<String> uses = new ArrayList<>();
    for (JsonNode record : report.get("records")) {
      uses.add(
          record.get("name").asString()
              + ": "
              + (record.has("producer") ? record.get("producer") + " " : "")
              + "-> "
              + record.get("consumers")
              + (record.has("views") ? ", views " + record.get("views") : ""));
    }
    return uses;
  }

  private Path written(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  @Test
  void plan_onnxModel_hasTheTasksThatComputeAndReadEachTensor() throws IOException {
    // An input has no producer. Operator 4 reads both branches.
    assertThat(uses(planned(written("branches.onnx", BranchesModel.bytes()), "--io")))
        .containsExactly(
            "x: -> [0,1]",
            "a: 0 -> [2]",
            "b: 1 -> [3]",
            "c: 2 -> [4]",
            "d: 3 -> [4]",
            "y: 4 -> []");
  }

  @Test
  void plan_viewsThatShareARecord_areListedWithTheirProducers() {
    String features = "average: 15 -> [17], views [{\"name\":\"features\",\"producer\":16}]";
    assertThat(uses(planned(CNN, "--dim", "batch=1")))
        .contains("average: 15 -> [16]", "features: 16 -> [17]");
    assertThat(uses(planned(CNN, "--dim", "batch=1", "--alias"))).contains(features);
    assertThat(uses(planned(CNN, "--dim", RANGE, "--alias"))).contains(features);
  }

  @Test
  void plan_banks_hasTheSameKeys() {
    JsonNode banks = planned(CNN, "--dim", "batch=1", "--bank", "name=ram");
    assertThat(uses(banks)).isEqualTo(uses(planned(CNN, "--dim", "batch=1")));
    for (JsonNode record : banks.get("records")) {
      assertThat(record.get("reads").asInt()).isEqualTo(record.get("consumers").size());
    }
  }

  @Test
  void plan_tfliteModel_hasTheTasksThatComputeAndReadEachTensor() {
    JsonNode report = planned("examples/mobilenet_v2.tflite");
    JsonNode sum =
        report
            .get("records")
            .valueStream()
            .filter(record -> record.get("consumers").size() == 2)
            .findFirst()
            .orElseThrow();
    // Operators 0 to 2 are the stem and the first block, 3 to 5 the second one. Its result is the
    // input of the third block (6 to 8), and of the addition at its end.
    Stream<String> readers =
        sum.get("consumers")
            .valueStream()
            .map(task -> report.get("tasks").get(task.asInt()).get("operator").asString());
    assertThat(readers).containsExactly("CONV_2D 6", "ADD 9");
    assertThat(sum.get("last_task").asInt()).isEqualTo(9);
  }

  @Test
  void plan_runtimeTflm_hasScopes() throws IOException {
    // Scope 0 is that of the inputs; the WHILE starts at scope 1, and its subgraphs at 2 and 3.
    JsonNode report =
        planned(
            written("calling.tflite", CallingModel.bytes()), "--runtime", "tflm", "--no-scratch");
    assertThat(report.get("tasks").valueStream().map(task -> task.get("operator").asString()))
        .containsExactly(
            "inputs", "WHILE 0", "WHILE 0, subgraph 1 inputs", "WHILE 0, subgraph 2 inputs");
    assertThat(uses(report))
        .containsExactly(
            "tensor0: 0 -> [1]", "tensor1: 1 -> []", "tensor0: 2 -> []", "tensor0: 3 -> []");
  }

  @Test
  void plan_problemWithoutOperators_hasNoUses() throws IOException {
    Path problem = Files.writeString(folder.resolve("a.csv"), "id,lower,upper,size\na,0,1,4\n");
    assertThat(planned(problem).get("records").get(0).has("consumers")).isFalse();
  }
}
