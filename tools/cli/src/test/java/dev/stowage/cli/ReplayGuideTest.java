package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The commands of docs/replay.md and their output. */
class ReplayGuideTest {

  private static final Path GUIDE = Path.of("docs/replay.md");
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ ./stowage ([^\n]+)\n(.*?)```", Pattern.DOTALL);

  @Test
  void commands_ofTheGuide_printTheOutputShown() throws IOException {
    String guide = Files.readString(GUIDE);
    Matcher commands = COMMAND.matcher(guide);
    String printed =
        commands.replaceAll(command -> {
          CommandRun run = CommandRun.of((Object[]) command.group(1).split(" ", -1));
          assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
          return Matcher.quoteReplacement(
              "```console\n$ ./stowage " + command.group(1) + "\n" + run.err() + run.out() + "```");
        });
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GUIDE, printed);
    }
    assertThat(Files.readString(GUIDE)).isEqualTo(printed);
    assertThat(COMMAND.matcher(guide).results()).hasSize(4);
  }
}
