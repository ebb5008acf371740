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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/ci.md, and the shell lines of its workflows, run in a temporary folder. */
@Tag("full")
class CiGuideTest {

  private static final Path GUIDE = Path.of("docs/ci.md");
  private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ (.*)\n");

  /** The lines of {@code run: |} in a workflow of GitHub Actions. */
  private static final Pattern RUN = Pattern.compile("(?m)^ +run: \\|\n((?: {10}.*\n)+)");

  /** The lines of {@code script:} in a workflow of GitLab CI. */
  private static final Pattern SCRIPT = Pattern.compile("(?m)^  script:\n((?: {4}- .*\n)+)");

  @TempDir private Path folder;

  /** The result of a script. */
  private record Run(int exitCode, String output) {}

  @BeforeEach
  void createCheckout() throws IOException {
    Files.createDirectories(folder.resolve("models"));
    Files.createDirectories(folder.resolve(".stowage"));
    Files.createDirectories(folder.resolve("examples"));
    for (String name : List.of("examples/encoder.json")) {
      Files.copy(Path.of(name), folder.resolve(name));
    }
    Files.copy(Path.of("examples/encoder.json"), folder.resolve("models/encoder.json"));
    Path script = folder.resolve(".stowage/stowage");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Files.writeString(
        script,
        """
        #!/bin/sh
        exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=com.microsoft.onnxruntime -Dstowage.command=./stowage --module-path '%s' -m dev.stowage.cli/dev.stowage.cli.Stowage "$@"
        """
            .formatted(java, System.getProperty("jdk.module.path")));
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private static List<String> blocks(Pattern kind) throws IOException {
    return kind.matcher(Files.readString(GUIDE)).results().map(it -> it.group(1)).toList();
  }

  private Run run(String script) {
    Path output = folder.resolve(".stowage/output.txt");
    try {
      int exitCode =
          new ProcessBuilder("sh", "-e", "-c", script)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      return new Run(exitCode, Files.readString(output));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void example_inTheOrderOfTheGuide_printsTheOutputShown() throws IOException {
    run("ln -s .stowage/stowage stowage");
    List<Integer> exitCodes = new ArrayList<>();
    String guide = Files.readString(GUIDE);
    String printed =
        CONSOLE
            .matcher(guide)
            .replaceAll(block ->
                Matcher.quoteReplacement(
                    "```console\n" + printed(block.group(1), exitCodes) + "```"));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GUIDE, printed);
    }
    assertThat(Files.readString(GUIDE)).isEqualTo(printed);
    assertThat(exitCodes).containsExactly(0, 0, 0, ExitCode.WORSE);
  }

  /** {@return the commands of a block with their output} */
  private String printed(String block, List<Integer> exitCodes) {
    StringBuilder printed = new StringBuilder();
    for (MatchResult command : COMMAND.matcher(block).results().toList()) {
      Run run = run(command.group(1));
      exitCodes.add(run.exitCode());
      printed.append(command.group()).append(run.output());
    }
    return printed.toString();
  }

  @Test
  void githubWorkflow_ofAnEnlargedTensor_failsUntilTheBaselineIsUpdated() throws IOException {
    assertGate(
        RUN.matcher(blocks(YAML).getFirst())
            .results()
            .map(step -> step.group(1).stripIndent())
            .toList());
  }

  @Test
  void gitlabWorkflow_ofAnEnlargedTensor_failsUntilTheBaselineIsUpdated() throws IOException {
    assertGate(
        SCRIPT
            .matcher(blocks(YAML).getLast())
            .results()
            .map(lines -> lines.group(1).replaceAll("(?m)^ {4}- ", ""))
            .toList());
  }

  private void assertGate(List<String> scripts) throws IOException {
    assertThat(scripts).hasSize(1);
    String compare = scripts.getFirst();
    String update = compare.stripTrailing() + " --update-baseline\n";
    Path link = folder.resolve("stowage");

    assertThat(run(update).exitCode()).isZero();
    Files.delete(link);
    assertThat(run(compare).exitCode()).isZero();
    Files.delete(link);

    Path model = folder.resolve("models/encoder.json");
    Files.writeString(model, Files.readString(model).replace("8192", "16384"));
    Run worse = run(compare);
    assertThat(worse.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(worse.output()).contains("offsets_bytes is 36,864, 8,192 more");
    Files.delete(link);

    assertThat(run(update).exitCode()).isZero();
    Files.delete(link);
    assertThat(run(compare).exitCode()).isZero();
  }
}
