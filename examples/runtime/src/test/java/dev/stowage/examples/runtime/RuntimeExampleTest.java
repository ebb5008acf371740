package dev.stowage.examples.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.opencl.OpenClDevices;
import dev.stowage.testing.GuideExamples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example, and docs/runtime.md, which explains its parts. */
class RuntimeExampleTest {

  private static final String GUIDE = "docs/runtime.md";
  private static final String SOURCE =
      "examples/runtime/src/main/java/dev/stowage/examples/runtime/RuntimeExample.java";

  private static List<String> printed() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    RuntimeExample.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static String guide() throws IOException {
    return Files.readString(Path.of(System.getProperty("stowage.root"), GUIDE));
  }

  @Test
  void source_hasAtMost150LinesAndTheExamplesOfTheGuide() throws IOException {
    String source = GuideExamples.source(SOURCE);
    assertThat(source.lines().filter(line -> !line.startsWith("import "))).hasSizeLessThan(150);
    for (String section :
        List.of("## Plan", "## One arena", "## A device", "## Kernels", "## Limits and reports")) {
      assertThat(GuideExamples.of(GUIDE, section)).isNotEmpty().allMatch(source::contains);
    }
  }

  @Test
  void print_onTheHost_isAsInTheGuide() throws IOException {
    assertThat(guide()).contains(String.join("\n", printed().subList(0, 2)));
  }

  @Test
  void print_withOpenCl_isAsInTheGuide() throws IOException {
    OpenClDevices devices = OpenClDevices.find();
    assumeTrue(
        devices.absence().isEmpty(),
        () ->
            "needs OpenCL (Debian's ocl-icd-libopencl1 and pocl-opencl-icd): "
                + devices.absence().orElseThrow());
    assertThat(guide()).contains(String.join("\n", printed()));
  }
}
