package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files and outputs of docs/formats.md, compared with the program. */
class FormatsTest {

  private static final Pattern FILE =
      Pattern.compile(
          "`((?:problem|broken|trace|rmm|timeline|umpire|stalloc|android|vulkan)\\.\\w+)`[^`]*```\\w+\n(.*?)```",
          Pattern.DOTALL);
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ (\\S+) ([^\n]*)\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void commands_ofTheFilesShown_printTheOutputShown() throws IOException {
    String page = Files.readString(Path.of("docs/formats.md"));
    List<MatchResult> files = FILE.matcher(page).results().toList();
    assertThat(files).hasSize(10);
    for (MatchResult file : files) {
      Files.writeString(folder.resolve(file.group(1)), file.group(2));
    }
    List<MatchResult> commands = COMMAND.matcher(page).results().toList();
    assertThat(commands).hasSize(16);
    for (MatchResult command : commands) {
      String printed =
          command.group(1).equals("cat")
              ? Files.readString(folder.resolve(command.group(2)))
              : stowage(command.group(2));
      assertThat(timeless(printed)).as(command.group(2)).isEqualTo(timeless(command.group(3)));
    }
  }

  private String stowage(String command) {
    List<String> words = new ArrayList<>();
    for (String word : command.split(" ", -1)) {
      words.add(word.contains(".") ? folder.resolve(word).toString() : word);
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        new Program(new PrintWriter(out), new PrintWriter(err)).run(words.toArray(String[]::new));
    boolean isRefused =
        out.toString().contains("not a valid plan") || out.toString().contains("\"failures\":1,");
    assertThat(exitCode).as("%s", err).isEqualTo(isRefused ? ExitCode.NO_PLAN : ExitCode.DONE);
    return out.toString().replace(folder + "/", "");
  }

  /**
   * {@return an output without its times and, so that a release leaves the page true, its version}
   */
  private static String timeless(String printed) {
    return printed
        .replaceAll("\"seconds\":[0-9.E-]+", "\"seconds\":0")
        .replaceAll("\"version\":\"[^\"]+\"", "\"version\":\"0\"");
  }
}
