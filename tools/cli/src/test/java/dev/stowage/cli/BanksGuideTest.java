package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.GuideProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The problem, commands, messages and code of docs/banks.md, compared with the program. */
class BanksGuideTest {

  private static final Path GUIDE = Path.of("docs/banks.md");
  private static final Path EXAMPLE = Path.of("examples/banks.csv");
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ \\./stowage ([^\n]*)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern ERROR = Pattern.compile("stowage: examples/banks.csv: [^\n]*\n");

  @TempDir private Path folder;

  @Test
  void problem_ofTheGuide_isThatOfTheExamples() throws IOException {
    assertThat(Files.readString(GUIDE)).contains("```csv\n" + Files.readString(EXAMPLE) + "```");
  }

  @Test
  void commands_ofTheGuide_printTheOutputShown() throws IOException {
    Files.writeString(
        folder.resolve("tied.csv"),
        Files.readString(EXAMPLE).replace("pool,2,4,640,5,", "pool,2,4,640,5,sram"));
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
    assertThat(COMMAND.matcher(guide).results()).hasSize(3);
  }

  private String run(MatchResult command) {
    ShownRun run =
        ShownRun.of(
            Stream.of(command.group(1).split(" ", -1))
                .map(word ->
                    Set.of("plan.csv", "tied.csv").contains(word) ? folder.resolve(word) : word)
                .toArray());
    assertThat(run.exitCode()).as(run.text()).isEqualTo(ExitCode.DONE);
    return run.text().replace(folder + "/", "");
  }

  @Test
  void smallBank_ofTheGuide_hasTheMessageShown() throws IOException {
    CommandRun run =
        CommandRun.of(
            "plan",
            EXAMPLE,
            "--bank",
            "name=sram,bytes=1KiB,alignment=16,cost=1",
            "--bank",
            "name=dram,bytes=512,cost=10");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    Matcher shown = ERROR.matcher(Files.readString(GUIDE));
    assertThat(shown.find()).isTrue();
    assertThat(run.err()).isEqualTo(shown.group());
  }

  @Test
  void library_asPrinted_compilesAndPrintsTheOutputShown() throws Exception {
    GuideProgram program = GuideProgram.of(GUIDE.toString(), "## As a library");
    String printed = program.run(folder);
    assertThat(program.text()).isEqualTo(printed);
  }
}
