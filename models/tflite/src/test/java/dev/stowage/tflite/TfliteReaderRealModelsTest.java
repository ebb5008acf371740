package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.SubGraph;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Real models, compared with the results of an independent reader. */
class TfliteReaderRealModelsTest {

  /** The compared figures of a model. */
  private record Summary(
      int operators, int records, long naiveBytes, long offsetsBound, long objectsBound) {

    static Summary of(Path file, TensorScope scope) throws IOException {
      TfliteProblem model = TfliteReader.read(file, scope);
      assertThat(model.tensors()).hasSameSizeAs(model.problem().records());
      LowerBounds bounds = LowerBounds.of(model.problem());
      return new Summary(
          model.kinds().size(),
          model.problem().records().size(),
          model.problem().naiveBytes(),
          bounds.offsetsBytes(),
          bounds.objectsBytes());
    }

    static Summary of(JsonNode model, String records) {
      JsonNode expected = model.get(records);
      return new Summary(
          model.get("operators").intValue(),
          expected.get("records").intValue(),
          expected.get("naive_bytes").longValue(),
          expected.get("lower_bound_offsets").longValue(),
          expected.get("lower_bound_objects").longValue());
    }
  }

  @Test
  void read_realModels_agreesWithTheIndependentReader() throws IOException {
    for (Path folder : SampleModels.folders("models/tflite")) {
      assertAgreesWithTheIndependentReader(folder);
    }
  }

  private static void assertAgreesWithTheIndependentReader(Path folder) throws IOException {
    JsonNode expected = new ObjectMapper().readTree(folder.resolve("expected.json").toFile());
    Map<String, List<Summary>> expectedSummaries = new TreeMap<>();
    Map<String, List<Summary>> summaries = new TreeMap<>();
    for (Map.Entry<String, JsonNode> model : expected.properties()) {
      expectedSummaries.put(
          model.getKey(),
          List.of(
              Summary.of(model.getValue(), "intermediates"),
              Summary.of(model.getValue(), "with_io")));
      Path file = folder.resolve(model.getKey());
      summaries.put(
          model.getKey(),
          List.of(
              Summary.of(file, TensorScope.INTERMEDIATES),
              Summary.of(file, TensorScope.WITH_INPUTS_AND_OUTPUTS)));
    }
    assertThat(summaries).isEqualTo(expectedSummaries);
    assertThat(summaries).hasSameSizeAs(SampleModels.in(folder, ".tflite"));
  }

  @Test
  void read_realModels_findsTheOperatorsThatComputeAndReadEachTensor() throws IOException {
    for (Path file : SampleModels.all(".tflite", "models/tflite")) {
      SubGraph graph = Model.getRootAsModel(ByteBuffer.wrap(Files.readAllBytes(file))).subgraphs(0);
      TfliteProblem model = TfliteReader.read(file, TensorScope.WITH_INPUTS_AND_OUTPUTS);
      List<List<Integer>> readers =
          model.tensors().stream().map(tensor -> readers(tensor.index(), graph)).toList();
      assertThat(model.tensors())
          .extracting(tensor -> tensor.uses().consumers())
          .as("%s", file)
          .isEqualTo(readers);
      for (TfliteTensor tensor : model.tensors()) {
        // In these models, at most one operator computes a tensor.
        assertThat(tensor.uses().producer().stream().boxed().toList())
            .as("%s, tensor %d", file, tensor.index())
            .isEqualTo(writers(tensor.index(), graph));
      }
    }
  }

  private static List<Integer> readers(int tensor, SubGraph graph) {
    List<Integer> readers = new ArrayList<>();
    for (int i = 0; i < graph.operatorsLength(); i++) {
      boolean isRead = false;
      for (int k = 0; k < graph.operators(i).inputsLength(); k++) {
        isRead |= graph.operators(i).inputs(k) == tensor;
      }
      if (isRead) {
        readers.add(i);
      }
    }
    return readers;
  }

  private static List<Integer> writers(int tensor, SubGraph graph) {
    List<Integer> writers = new ArrayList<>();
    for (int i = 0; i < graph.operatorsLength(); i++) {
      for (int k = 0; k < graph.operators(i).outputsLength(); k++) {
        if (graph.operators(i).outputs(k) == tensor) {
          writers.add(i);
        }
      }
    }
    return writers;
  }

  @Test
  void read_bytesInMemory_areReadAsTheFile() throws IOException {
    for (Path file : SampleModels.all(".tflite", "models/tflite")) {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      assertThat(
              TfliteReader.read(
                  "memory",
                  bytes,
                  TfliteOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS)))
          .isEqualTo(TfliteReader.read(file, TensorScope.WITH_INPUTS_AND_OUTPUTS));
    }
  }

  @Test
  void read_halfOfARealModel_givesTheError() throws IOException {
    for (Path file : SampleModels.all(".tflite", "models/tflite")) {
      byte[] bytes = Files.readAllBytes(file);
      ByteBuffer half = ByteBuffer.wrap(bytes, 0, bytes.length / 2);
      assertThatExceptionOfType(MalformedFileException.class)
          .as("%s", file)
          .isThrownBy(() ->
              TfliteReader.read(
                  "half", half, TfliteOptions.defaults().withScope(TensorScope.INTERMEDIATES)));
    }
  }

  @Test
  void read_corruptModels_givesAPlanOrTheError() throws IOException {
    Path folder = SampleModels.folder("corrupt/tflite");
    List<String> errors = new ArrayList<>();
    for (Path file : SampleModels.in(folder, ".tflite")) {
      try {
        TfliteReader.read(file, TensorScope.WITH_INPUTS_AND_OUTPUTS);
      } catch (MalformedFileException e) {
        errors.add(String.valueOf(e.getMessage()).replace(folder + "/", ""));
      }
    }
    assertThat(errors)
        .containsExactly(
            "0_subgraphs.tflite: model: has no subgraph, expected at least 1",
            "test_model_broken.tflite: byte 4: found 00 00 0e 00, expected 54 46 4c 33 ('TFL3'), the identifier of a TensorFlow Lite model");
  }
}
