package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.budget.ModelBudget;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.testing.GuideExamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/budget.md, whose output is compared with the output shown. */
class BudgetGuideTest {

  private static final Path GUIDE = Path.of("docs/budget.md");
  private static final String SOURCE =
      "tools/cli/src/test/java/dev/stowage/cli/BudgetGuideTest.java";
  private static final Pattern CONSOLE =
      Pattern.compile("```console\n\\$ ./stowage (.*)\n[^`]*```");

  @Test
  void commands_ofTheGuide_printTheOutputShown() throws IOException {
    String guide = Files.readString(GUIDE);
    String printed =
        CONSOLE
            .matcher(guide)
            .replaceAll(block -> Matcher.quoteReplacement(printed(block.group(1))));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GUIDE, printed);
    }
    assertThat(Files.readString(GUIDE)).isEqualTo(printed);
    assertThat(CONSOLE.matcher(guide).results()).hasSize(3);
  }

  @Test
  void program_ofTheGuide_evaluatesTheProfile(@TempDir Path folder) throws IOException {
    String command =
        "budget examples/tiny_cnn.onnx --dim batch=1..16 --threads 2 --profile tiny_cnn.profile";
    String profile = folder.resolve("tiny_cnn.profile").toString();
    printed(command.replace("tiny_cnn.profile", profile) + " --cpu avx2");
    ModelBudget budget = ModelBudget.parse(Files.readString(Path.of(profile)));
    long bytes = budget.at(DimensionValues.of("batch", 12), 4, 2).highestBytes();
    assertThat(bytes).isGreaterThan(1 << 20);

    String guide = Files.readString(GUIDE);
    assertThat(guide).contains("\n./stowage " + command + "\n");
    String source = GuideExamples.source(SOURCE);
    for (String example : GuideExamples.of("docs/budget.md", "## Programs")) {
      for (String line : example.replace("\"tiny_cnn.profile\"", "profile").split("\n", -1)) {
        assertThat(source).contains(line.replaceAll("; // .*", ";"));
      }
    }
  }

  private static String printed(String command) {
    ShownRun run = ShownRun.of(Arrays.stream(command.split(" ", -1)).toArray());
    assertThat(run.exitCode()).as("%s", run.text()).isEqualTo(ExitCode.DONE);
    return "```console\n$ ./stowage " + command + "\n" + run.text() + "```";
  }
}
