package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The problem, the command and the messages of docs/banks.md, compared with the program. */
class BanksGuideTest {

  private static final Pattern CSV = Pattern.compile("```csv\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ \\./stowage ([^\n]*)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern ERROR = Pattern.compile("stowage: banks.csv: [^\n]*\n");

  @TempDir private Path folder;
  private String page = "";
  private Path problem = Path.of("");

  @BeforeEach
  void writeProblem() throws IOException {
    page = Files.readString(Path.of("docs/banks.md"));
    Matcher csv = CSV.matcher(page);
    assertThat(csv.find()).isTrue();
    problem = Files.writeString(folder.resolve("banks.csv"), csv.group(1));
  }

  @Test
  void commands_ofTheGuide_printTheOutputShown() {
    List<MatchResult> commands = COMMAND.matcher(page).results().toList();
    assertThat(commands).hasSize(2);
    CommandRun.of(words(commands.getFirst().group(1) + " --output plan.csv"));
    for (MatchResult command : commands) {
      CommandRun run = CommandRun.of(words(command.group(1)));

      assertThat(run.err()).isEmpty();
      assertThat(run.exitCode()).isZero();
      assertThat(run.out().replace(folder + "/", "")).isEqualTo(command.group(2));
    }
  }

  private Object[] words(String command) {
    return Stream.of(command.split(" ", -1))
        .map(word -> word.endsWith(".csv") ? folder.resolve(word) : word)
        .toArray();
  }

  @Test
  void smallBank_ofTheGuide_hasTheMessageShown() {
    CommandRun run =
        CommandRun.of(
            "plan",
            problem,
            "--bank",
            "name=sram,bytes=1KiB,alignment=16,cost=1",
            "--bank",
            "name=dram,bytes=512,cost=10");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err().replace(problem.toString(), "banks.csv"))
        .isEqualTo(ERROR.matcher(page).results().findFirst().orElseThrow().group());
  }
}
