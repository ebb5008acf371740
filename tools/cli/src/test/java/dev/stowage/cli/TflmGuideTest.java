package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/tflm.md, run in the order of the page and compared with the output shown.
 */
@Tag("full")
class TflmGuideTest {

  private static final Path GUIDE = Path.of("docs/tflm.md");
  private static final Pattern CONSOLE =
      Pattern.compile("```console\n(\\$ .*?)```", Pattern.DOTALL);
  private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ (.*)$");
  private static final Path EXAMPLES = Path.of("examples/tflm");

  @TempDir private Path folder;

  @Test
  void commands_inTheOrderOfTheGuide_printTheOutputShown() throws IOException {
    Files.createDirectories(folder.resolve(EXAMPLES));
    for (String name : List.of("detector.tflite", "scratch.csv")) {
      Files.copy(EXAMPLES.resolve(name), folder.resolve(EXAMPLES).resolve(name));
    }
    String guide = Files.readString(GUIDE);
    String printed =
        CONSOLE
            .matcher(guide)
            .replaceAll(block ->
                Matcher.quoteReplacement("```console\n" + printed(block.group(1)) + "```"));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GUIDE, printed);
    }
    assertThat(Files.readString(GUIDE)).isEqualTo(printed);
    assertThat(CONSOLE.matcher(guide).results()).hasSize(3);
  }

  /** {@return the commands of a block, each followed by its output} */
  private String printed(String block) {
    List<String> commands =
        COMMAND.matcher(block).results().map((MatchResult line) -> line.group(1)).toList();
    List<String> outputs = new ArrayList<>();
    for (String command : commands) {
      String[] parts = command.split(" \\| head -", 2);
      String output = output(List.of(parts[0].split(" ", -1)));
      outputs.add(
          "$ " + command + "\n" + (parts.length == 1 ? output : ShownRun.head(output, parts[1])));
    }
    return String.join("\n", outputs);
  }

  private String output(List<String> command) {
    assertThat(command.getFirst()).isEqualTo("./stowage");
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--module-path"));
    words.add(System.getProperty("jdk.module.path"));
    words.add("-Dstowage.command=./stowage");
    words.addAll(List.of("-m", "dev.stowage.cli/dev.stowage.cli.Stowage"));
    words.addAll(command.subList(1, command.size()));
    if (!command.get(1).equals("check")) {
      // The searches of the guide are fast, so that a time limit affects only a command to paste.
      words.addAll(List.of("--time-limit", "3600"));
    }
    Path output = folder.resolve("output.txt");
    int exitCode = exitCode(words, output);
    assertThat(exitCode)
        .as("%s", read(output))
        .isEqualTo(command.contains("--capacity") ? ExitCode.NO_PLAN : ExitCode.DONE);
    return read(output).replace(" --time-limit 3600", "");
  }

  /** Runs a program in the folder, so that the tables have the file names of the guide. */
  private int exitCode(List<String> words, Path output) {
    try {
      return new ProcessBuilder(words)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .start()
          .waitFor();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
