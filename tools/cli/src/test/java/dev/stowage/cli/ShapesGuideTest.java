package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.LayoutChecker;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.strategy.OptimalPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files, outputs and code of docs/shapes.md, compared with the program. */
class ShapesGuideTest {

  private static final Path GUIDE = Path.of("docs/shapes.md");
  private static final Path EXAMPLE = Path.of("examples/attention.json");

  @TempDir private Path folder;

  private static String block(String language, int index) throws IOException {
    List<MatchResult> blocks =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(GUIDE))
            .results()
            .toList();
    return blocks.get(index).group(1);
  }

  private CommandRun plan(Object... options) {
    Object[] arguments = new Object[options.length + 6];
    arguments[0] = "plan";
    arguments[1] = EXAMPLE;
    arguments[2] = "--alignment";
    arguments[3] = 64;
    arguments[4] = "--time-limit";
    arguments[5] = 3600; // the search ends long before it
    System.arraycopy(options, 0, arguments, 6, options.length);
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  @Test
  void attention_ofTheGuide_isThatOfTheExamples() throws IOException {
    assertThat(Files.readString(EXAMPLE)).isEqualTo(block("json", 0));
  }

  @Test
  void figures_ofTheGuide_areThoseOfTheProgram() throws IOException {
    Path csv = folder.resolve("layouts.csv");
    CommandRun run = plan("--buckets", 3, "--output", csv);

    assertThat(run.out()).contains(block("text", 0));
    CommandRun check = CommandRun.of("check", csv);
    assertThat(check.exitCode()).isZero();
    assertThat(block("console", 1))
        .isEqualTo("$ stowage check layouts.csv\n" + check.out().replace(folder + "/", ""));
  }

  @Test
  void oneLayout_ofTheGuide_isThatOfTheProgram() throws IOException {
    Path csv = folder.resolve("layout.csv");
    plan("--output", csv);

    assertThat(Files.readString(csv)).isEqualTo(block("csv", 0));
  }

  @Test
  void libraryExample_asWritten_givesTheNumbersInItsComments() throws IOException {
    SizeExpression batch = SizeExpression.dimension("batch");
    SymbolicProblem problem =
        new SymbolicProblem(
            List.of(
                SymbolicRecord.of(batch.times(4096), 0, 1),
                SymbolicRecord.of(SizeExpression.parse("1024*batch + 5000"), 1, 2),
                SymbolicRecord.of(batch.times(2048), 2, 3)),
            DimensionRanges.of(new DimensionRange("batch", 1, 32)),
            64);
    ShapeLayout layout = OptimalPlanner.planShapes(problem, SearchOptions.defaults());
    boolean valid = LayoutChecker.violation(layout).isEmpty(); // true, for all 32 shapes
    long[] offsets = layout.offsets(DimensionValues.of("batch", 8)); // in about a microsecond
    long arenaBytes = layout.totalBytes(DimensionValues.of("batch", 8)); // 45,960
    List<ShapeLayout> buckets = OptimalPlanner.planShapes(problem, 4, SearchOptions.defaults());

    assertThat(valid).isTrue();
    assertThat(offsets).hasSize(3);
    assertThat(arenaBytes).isEqualTo(45_960);
    assertThat(buckets)
        .hasSizeBetween(2, 4)
        .filteredOn(bucket -> bucket.problem().ranges().contains(DimensionValues.of("batch", 8)))
        .hasSize(1);
    assertThat(
            unindented(
                Files.readString(
                    Path.of("tools/cli/src/test/java/dev/stowage/cli/ShapesGuideTest.java"))))
        .contains(unindented(block("java", 0)));
  }

  private static String unindented(String code) {
    return String.join("\n", code.lines().map(String::strip).toList());
  }
}
