package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The models of {@code examples/}, compared with the code that generates them. */
class ExamplesTest {

  private static final Path TINY_CNN = SampleModels.examples().resolve("tiny_cnn.onnx");
  private static final Path TINY_BRANCHES = SampleModels.examples().resolve("tiny_branches.onnx");

  @Test
  void examples_allModels_holdTheBytesThatTheCodeMakes() throws IOException {
    assertThatHolds(TINY_CNN, TinyCnn.model());
    assertThatHolds(TINY_BRANCHES, TinyBranches.model());
    assertThat(SampleModels.in(SampleModels.examples(), ".onnx"))
        .containsExactlyInAnyOrder(TINY_CNN, TINY_BRANCHES);
  }

  private static void assertThatHolds(Path file, ModelProto model) throws IOException {
    byte[] bytes = model.toByteArray();
    if (Boolean.getBoolean("golden.update")) {
      Files.write(file, bytes);
    }
    assertThat(file).hasBinaryContent(bytes);
  }

  @Test
  void examples_tinyCnn_isPlannedForAnyBatch() throws IOException {
    OnnxProblem one = OnnxReader.read(TINY_CNN, OnnxOptions.defaults().withDimension("batch", 1));
    OnnxProblem four = OnnxReader.read(TINY_CNN, OnnxOptions.defaults().withDimension("batch", 4));

    assertThat(one.notes()).isEmpty();
    assertThat(ProblemText.names(one.tensors()))
        .hasSize(18)
        .isEqualTo(ProblemText.names(four.tensors()));
    assertThat(four.problem().naiveBytes()).isEqualTo(4 * one.problem().naiveBytes());
  }
}
