package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.GuideExamples;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The example of docs/onnx.md for a GPU is a test, which runs on machines with one. */
class GpuGuideTest {

  private static final String SOURCE =
      "devices/cuda/src/test/java/dev/stowage/cuda/OnnxRuntimeGpuTest.java";

  @Test
  void guide_example_isThatOfTheTest() throws IOException {
    String source = GuideExamples.source(SOURCE);
    assertThat(GuideExamples.of("docs/onnx.md", "## ONNX Runtime on a GPU"))
        .hasSize(1)
        .allSatisfy(example -> {
          String[] parts = example.split("\n\n", 2); // imports and code
          assertThat(parts[0].lines())
              .filteredOn(line -> !line.startsWith("import dev.stowage.cuda."))
              .allSatisfy(line -> assertThat(source).contains(line));
          assertThat(source).contains(parts[1].strip());
        });
  }
}
