package dev.stowage.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.GuideProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/adapters.md for Netty. */
class AdaptersGuideTest {

  @Test
  void example_asPrinted_compilesAndRuns(@TempDir Path folder) throws Exception {
    GuideProgram program = GuideProgram.of("docs/adapters.md", "## Netty");
    String printed = program.run(folder);
    assertThat(program.text()).isEqualTo(printed);
  }
}
