package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.GuideProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The outputs of README and of docs/plan.md, and the picture of README, compared with the program.
 */
class ReadmeTest {

  private static final Path README = Path.of("README.md");
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ \\./stowage (?!budget)([^\n]*)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({"README.md, 2", "docs/plan.md, 2"})
  void commands_asWritten_printWhatIsShown(Path file, int commands) throws IOException {
    String text = Files.readString(file);
    String printed =
        COMMAND
            .matcher(text)
            .replaceAll(command ->
                Matcher.quoteReplacement(
                    "```console\n$ ./stowage " + command.group(1) + "\n" + run(command) + "```"));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, printed);
    }
    assertThat(Files.readString(file)).isEqualTo(printed);
    assertThat(COMMAND.matcher(text).results()).hasSize(commands);
  }

  /** The tests of the guides keep their outputs true, and so the sentences of README. */
  @Test
  void percentages_inSentences_areInAnOutputShownOrOfTheCommandNamed() throws IOException {
    Pattern block = Pattern.compile("```.*?```", Pattern.DOTALL);
    Pattern named = Pattern.compile("`\\./stowage ([^`]+)`");
    String readme = Files.readString(README);
    String shown =
        Stream.of(readme, Files.readString(Path.of("docs/plan.md")))
            .flatMap(text -> block.matcher(text).results())
            .map(MatchResult::group)
            .collect(Collectors.joining());
    for (String paragraph : block.matcher(readme).replaceAll("").split("\n\n", -1)) {
      List<String> figures =
          Pattern.compile("[0-9.]+ %")
              .matcher(paragraph)
              .results()
              .map(MatchResult::group)
              .toList();
      String printed =
          figures.isEmpty()
              ? ""
              : named
                  .matcher(paragraph)
                  .results()
                  .map(ReadmeTest::run)
                  .collect(Collectors.joining());
      assertThat(figures).allMatch((shown + printed)::contains);
    }
  }

  @Test
  void quote_ofThePlanGuide_isTheFirstLineOfTheCommandNamed() throws IOException {
    Matcher quote =
        Pattern.compile("`\\./stowage (diff [^`]+)`[^`]*\n\n> (.*\n)")
            .matcher(Files.readString(Path.of("docs/plan.md")));
    assertThat(quote.find()).isTrue();
    assertThat(run(quote.toMatchResult())).startsWith(quote.group(2));
  }

  private static String run(MatchResult command) {
    // Plans are fast, so that time limits do not affect the output.
    String line =
        command
            .group(1)
            .replaceFirst("^plan ", "plan --time-limit 3600 ")
            .replace("examples/*.tflite", String.join(" ", examples()));
    ShownRun run = ShownRun.ofLine(line);
    assertThat(run.exitCode()).as(run.text()).isZero();
    return run.text().replace(" --time-limit 3600", "");
  }

  private static List<String> examples() {
    try (Stream<Path> files = Files.list(Path.of("examples"))) {
      return files.map(Path::toString).filter(f -> f.endsWith(".tflite")).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void picture_ofTheFirstCommand_isWhatReadmeShows(@TempDir Path folder) throws IOException {
    Path shown = Path.of("docs/mobilenet_v2.svg");
    Path drawn = folder.resolve("mobilenet_v2.svg");
    StringWriter ignored = new StringWriter();
    int exitCode =
        new Program(new PrintWriter(ignored), new PrintWriter(ignored))
            .run("plan", "examples/mobilenet_v2.tflite", "--output", drawn.toString());
    assertThat(exitCode).isZero();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(shown, Files.readString(drawn));
    }
    assertThat(Files.readString(README)).contains("](" + shown + ")");
    assertThat(Files.readString(shown)).isEqualTo(Files.readString(drawn));
  }

  @Test
  void library_ofThePlanGuide_compilesAndPrintsTheOutputShown(@TempDir Path folder)
      throws Exception {
    GuideProgram program = GuideProgram.of("docs/plan.md", "## As a library");
    String printed = program.run(folder);
    assertThat(program.text()).isEqualTo(printed);
  }

  @Test
  void javaExamples_ofReadme_compileAndRun(@TempDir Path folder) throws Exception {
    GuideProgram program = GuideProgram.of("README.md", "## I write Java");
    assertThat(program.text()).isEqualTo(program.run(folder));
  }

  @Test
  void javaExample_ofReadme_isATestedOne() throws IOException {
    String test = "tools/cli/src/test/java/dev/stowage/cli/LibraryExampleTest.java";
    List<MatchResult> examples = JAVA.matcher(Files.readString(README)).results().toList();
    assertThat(examples).hasSize(1);
    String example = examples.getFirst().group(1).replaceAll("(?m)^import .*\\n+", "");
    assertThat(unindented(Files.readString(Path.of(test)))).contains(unindented(example));
  }

  private static String unindented(String code) {
    return String.join("\n", code.lines().map(String::strip).toList());
  }
}
