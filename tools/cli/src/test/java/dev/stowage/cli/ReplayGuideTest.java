package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The commands of docs/replay.md, docs/search.md, docs/jax.md, docs/netty.md and docs/explain.md,
 * and their output.
 */
class ReplayGuideTest {

  private static final Pattern COMMAND =
      Pattern.compile("(?<=\n)\\$ ./stowage ([^\n]+)\n(.*?)```", Pattern.DOTALL);

  private static final Pattern FILTER = Pattern.compile("(.*) \\| sed -n '/\\^(.*)/,/\\^(.*)/p'");

  /** The note on the time of a long search. */
  private static final Pattern TIME = Pattern.compile("stowage: note: [^\n]* or less for [^\n]*\n");

  @TempDir private Path folder;

  /** Writes the first training step, as sed does in the guide. */
  @BeforeEach
  void cutTrace() throws IOException {
    String trace = Files.readString(Path.of("examples/training.csv"));
    int end = trace.lastIndexOf('\n', trace.indexOf("step2")) + 1;
    Files.writeString(folder.resolve("first.csv"), trace.substring(0, end));
  }

  @ParameterizedTest
  @CsvSource({"docs/replay.md, 4", "docs/search.md, 1", "docs/jax.md, 4", "docs/explain.md, 1"})
  void commands_ofTheGuide_printTheOutputShown(Path page, int count) throws IOException {
    checkCommands(page, count);
  }

  /** Each command starts processes with Netty. */
  @Test
  @Tag("full")
  void commands_ofTheGuideToNetty_printTheOutputShown() throws IOException {
    checkCommands(Path.of("docs/netty.md"), 2);
  }

  private void checkCommands(Path page, int count) throws IOException {
    String guide = Files.readString(page);
    Matcher commands = COMMAND.matcher(guide);
    String printed =
        commands.replaceAll(command -> {
          Matcher filter = FILTER.matcher(command.group(1));
          boolean isFiltered = filter.matches();
          ShownRun run = ShownRun.of(words(isFiltered ? filter.group(1) : command.group(1)));
          assertThat(run.exitCode())
              .isEqualTo(
                  run.text().contains("as in the recording:") || run.text().contains(" failed: ")
                      ? ExitCode.NO_PLAN
                      : ExitCode.DONE);
          String output = TIME.matcher(run.text().replace(folder + "/", "")).replaceAll("");
          if (isFiltered) {
            output = lines(output, filter.group(2), filter.group(3));
          }
          return Matcher.quoteReplacement(
              "$ ./stowage " + command.group(1) + "\n" + output + "```");
        });
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(page, printed);
    }
    assertThat(Files.readString(page)).isEqualTo(printed);
    assertThat(COMMAND.matcher(guide).results()).hasSize(count);
  }

  /**
   * {@return the lines from one that starts with a text to the next one with another, as of sed}
   */
  private static String lines(String output, String first, String last) {
    int start = output.indexOf("\n" + first) + 1;
    int end = output.indexOf("\n" + last, start) + 1;
    return output.substring(start, output.indexOf('\n', end) + 1);
  }

  private Object[] words(String command) {
    return Stream.of(command.split(" ", -1))
        .map(word -> word.equals("first.csv") ? folder.resolve(word) : word)
        .toArray();
  }
}
