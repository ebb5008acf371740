package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.GuideProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files, commands and code of docs/shapes.md, compared with the program. */
class ShapesGuideTest {

  private static final Path GUIDE = Path.of("docs/shapes.md");
  private static final Path EXAMPLE = Path.of("examples/attention.json");
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ \\./stowage ([^\n]*)\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void attention_ofTheGuide_hasLinesOfTheExample() throws IOException {
    Matcher shown =
        Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(GUIDE));
    assertThat(shown.find()).isTrue();
    assertThat(Files.readAllLines(EXAMPLE)).containsAll(shown.group(1).lines().toList());
  }

  @Test
  void commands_ofTheGuide_printTheOutputShown() throws IOException {
    String guide = Files.readString(GUIDE);
    String printed =
        COMMAND
            .matcher(guide)
            .replaceAll(command ->
                Matcher.quoteReplacement(
                    "```console\n$ ./stowage " + command.group(1) + "\n" + run(command) + "```"));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GUIDE, printed);
    }
    assertThat(Files.readString(GUIDE)).isEqualTo(printed);
    assertThat(COMMAND.matcher(guide).results()).hasSize(1);
  }

  private static String run(MatchResult command) {
    ShownRun run = ShownRun.ofLine(command.group(1));
    assertThat(run.exitCode()).as(run.text()).isEqualTo(ExitCode.DONE);
    return run.text();
  }

  @Test
  void library_asPrinted_compilesAndPrintsTheOutputShown() throws Exception {
    GuideProgram program = GuideProgram.of(GUIDE.toString(), "## As a library");
    String printed = program.run(folder);
    assertThat(program.text()).isEqualTo(printed);
  }
}
