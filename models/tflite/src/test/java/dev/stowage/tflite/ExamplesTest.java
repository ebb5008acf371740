package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.TensorScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.SubGraph;

/** The files of {@code examples/}, compared with the code that generates them. */
class ExamplesTest {

  private static final boolean UPDATE = Boolean.getBoolean("golden.update");

  @ParameterizedTest
  @EnumSource
  void examples_everyNetwork_holdTheBytesThatTheBuilderMakes(ExampleNetwork network)
      throws IOException {
    if (UPDATE) {
      network.graph().writeTo(network.file());
    }
    assertThat(network.file()).hasBinaryContent(network.graph().toBytes());
  }

  @ParameterizedTest
  @EnumSource
  void examples_everyNetwork_isReadAsAProblem(ExampleNetwork network) throws IOException {
    SubGraph graph =
        Model.getRootAsModel(ByteBuffer.wrap(Files.readAllBytes(network.file()))).subgraphs(0);

    TfliteProblem intermediates = TfliteReader.read(network.file(), TensorScope.INTERMEDIATES);
    TfliteProblem all = TfliteReader.read(network.file(), TensorScope.WITH_INPUTS_AND_OUTPUTS);

    // Each operator computes one tensor, and all other tensors are inputs of the graph.
    int operators = graph.operatorsLength();
    assertThat(intermediates.notes()).isEmpty();
    assertThat(intermediates.kinds()).hasSize(operators);
    assertThat(intermediates.tensors()).hasSize(operators - graph.outputsLength());
    assertThat(all.tensors()).hasSize(graph.tensorsLength());
  }

  @Test
  void examples_allModels_areOfANetworkHere() throws IOException {
    List<Path> networkFiles =
        Arrays.stream(ExampleNetwork.values()).map(ExampleNetwork::file).toList();
    try (Stream<Path> files = Files.list(networkFiles.getFirst().resolveSibling("."))) {
      List<Path> models =
          files.filter(file -> file.toString().endsWith(".tflite")).map(Path::normalize).toList();
      assertThat(models).isSubsetOf(networkFiles);
    }
  }
}
