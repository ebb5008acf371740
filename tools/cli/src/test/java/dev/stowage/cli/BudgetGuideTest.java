package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The commands of docs/budget.md, whose output is compared with the output shown. */
class BudgetGuideTest {

  private static final Path GUIDE = Path.of("docs/budget.md");
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

  private static String printed(String command) {
    CommandRun run = CommandRun.of(Arrays.stream(command.split(" ", -1)).toArray());
    assertThat(run.exitCode()).as("%s", run.err()).isEqualTo(ExitCode.DONE);
    return "```console\n$ ./stowage " + command + "\n" + run.out() + "```";
  }
}
