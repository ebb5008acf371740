package dev.stowage.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.GuideProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples of docs/allocator.md. */
class AllocatorGuideTest {

  @Test
  void guide_everyExample_compilesAndPrintsTheShownOutput(@TempDir Path folder) throws Exception {
    GuideProgram program =
        GuideProgram.of(
            "docs/allocator.md",
            "## Less memory",
            "## Waiting for others",
            "## Budgets",
            "## Accounts",
            "## A front cache",
            "## Both ends of a region",
            "## Private pools",
            "## Pools of host memory",
            "## Leaks and recordings");
    String file = folder.resolve("run.csv.gz").toString();
    String printed = program.run(folder, "run.csv.gz", file);
    assertThat(program.text()).isEqualTo(printed);
    assertThat(Path.of(file)).isNotEmptyFile();
  }
}
