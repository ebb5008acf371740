package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The models of {@code examples/}, compared with the code that generates them. */
class ExamplesTest {

  private static final Path TINY_CNN = SampleModels.examples().resolve("tiny_cnn.onnx");

  @Test
  void examples_allModels_holdTheBytesThatTheCodeMakes() throws IOException {
    byte[] model = TinyCnn.model().toByteArray();
    if (Boolean.getBoolean("golden.update")) {
      Files.write(TINY_CNN, model);
    }
    assertThat(TINY_CNN).hasBinaryContent(model);
    assertThat(SampleModels.in(SampleModels.examples(), ".onnx")).containsExactly(TINY_CNN);
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
