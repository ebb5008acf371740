package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.budget.ModelBudget;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.testing.GuideExamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The budgets of README and docs/budget.md, whose figures are compared with those shown as ranges.
 */
class BudgetGuideTest {

  private static final String SOURCE =
      "tools/cli/src/test/java/dev/stowage/cli/BudgetGuideTest.java";
  private static final Pattern CONSOLE =
      Pattern.compile("```console\n\\$ ./stowage (budget .*)\n([^`]*)```");
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(?:\\.\\d+)?");

  /** The most by which a figure of another machine or moment differs. */
  private static final double FACTOR = 2;

  /** Smaller figures differ by any factor. */
  private static final double LEAST = 8 << 20;

  @ParameterizedTest
  @CsvSource({"README.md, 1", "docs/budget.md, 2"})
  @Tag("full")
  void commands_ofTheGuide_printFiguresNearThoseShown(Path file, int commands) throws IOException {
    String guide = Files.readString(file);
    if (Boolean.getBoolean("golden.update")) {
      guide =
          CONSOLE
              .matcher(guide)
              .replaceAll(block -> Matcher.quoteReplacement(printed(block.group(1))));
      Files.writeString(file, guide);
    }
    List<MatchResult> blocks = CONSOLE.matcher(guide).results().toList();
    assertThat(blocks).hasSize(commands);
    for (MatchResult block : blocks) {
      String command = block.group(1);
      assertNear(
          printed(command), "```console\n$ ./stowage " + command + "\n" + block.group(2) + "```");
    }
  }

  /** Compares the words of two texts, and each figure of one with that of the other. */
  private static void assertNear(String actual, String expected) {
    assertThat(words(actual)).isEqualTo(words(expected));
    List<Double> shown = numbers(expected);
    List<Double> printed = numbers(actual);
    assertThat(printed).hasSameSizeAs(shown);
    for (int i = 0; i < shown.size(); i++) {
      if (shown.get(i) >= LEAST) {
        assertThat(printed.get(i)).isBetween(shown.get(i) / FACTOR, shown.get(i) * FACTOR);
      }
    }
  }

  /** {@return a text without figures, units, columns and the machine} */
  private static String words(String text) {
    return text.replaceAll("(?m)( on |# measured on ).*?, \\d+ processors?", "$1machine")
        .replaceAll("\\b(?:[KMG]i)?B\\b", "unit")
        .replaceAll(NUMBER.pattern(), "n")
        .replaceAll(" +", " ");
  }

  private static List<Double> numbers(String text) {
    String bytes =
        text.replaceAll("(?m) on .*?, \\d+ processors?", "")
            .replaceAll("[\\d.]+ (?:[KMG]i)?B\\b", "");
    return NUMBER
        .matcher(bytes)
        .results()
        .map(number -> Double.valueOf(number.group().replace(",", "")))
        .toList();
  }

  @Test
  void program_ofTheGuide_looksUpTheSamples(@TempDir Path folder) throws IOException {
    String profile = folder.resolve("tiny_cnn.profile").toString();
    Files.writeString(
        Path.of(profile),
        """
        stowage-budget\t2
        model\ttiny_cnn.onnx
        engine\tONNX Runtime 1.29.0
        machine\tAMD EPYC, 2 processors
        service\t2\t1\t30000000\t40000000\tbatch\t16
        run\t2622464\tbatch\t16
        end
        """);
    ModelBudget budget = ModelBudget.parse(Files.readString(Path.of(profile)));
    DimensionValues shape = DimensionValues.of("batch", 12);
    long highest = budget.at(shape, 2, 1).highestBytes();
    long growth = budget.at(shape, 2, 1).growthBytes();
    long run = budget.runBytes(shape);
    assertThat(List.of(highest, growth, run)).containsExactly(40_000_000L, 5_000_000L, 2_622_464L);

    String source = GuideExamples.source(SOURCE);
    for (String example : GuideExamples.of("docs/budget.md", "## Programs")) {
      for (String line : example.replace("\"tiny_cnn.profile\"", "profile").split("\n", -1)) {
        assertThat(source).contains(line.replaceAll("; // .*", ";"));
      }
    }
  }

  private static String printed(String command) {
    ShownRun run = ShownRun.ofLine(command);
    assertThat(run.exitCode()).as("%s", run.text()).isEqualTo(ExitCode.DONE);
    return "```console\n$ ./stowage " + command + "\n" + run.text() + "```";
  }
}
