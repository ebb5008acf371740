package dev.stowage.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.GuideProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example of docs/allocator.md. */
class AllocatorGuideTest {

  @Test
  void guide_example_compilesAndPrintsTheShownOutput(@TempDir Path folder) throws Exception {
    GuideProgram program = GuideProgram.of("docs/allocator.md");
    String printed = program.run(folder);
    assertThat(program.text()).isEqualTo(printed);
  }
}
