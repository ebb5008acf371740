package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import dev.stowage.testing.browser.PageContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Problems whose sizes depend on dimensions with ranges. */
final class PlanCommandShapesTest {

  @TempDir private Path folder;

  private Path csv;
  private Path json;

  @BeforeEach
  void writeProblems() throws IOException {
    csv =
        write(
            "p.csv",
            """
            id,lower,upper,size,name
            x,0,2,4096*batch,input
            y,1,3,1024*batch + 5000,conv
            z,2,4,512*batch*2,add
            w,0,4,20000,weights
            v,3,5,"max(300*batch, 900)",out
            """);
    json =
        write(
            "p.json",
            """
            {"dimensions": {"b": [1, 4], "'odd' name": [2, 3]}, "records": [
              {"id": "a", "size": "8*b*'''odd'' name'", "first_task": 0, "last_task": 2,
               "gaps": [{"first_task": 1, "last_task": 1}]},
              {"id": "c", "size": "b + 7", "first_task": 1, "last_task": 1, "alignment": 4},
              {"id": "d", "size": 16, "first_task": 2, "last_task": 3}]}
            """);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static JsonNode parsed(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new JsonMapper().readTree(run.out());
  }

  @Test
  void plan_csvWithARange_printsAllFigures() {
    CommandRun run = CommandRun.of("plan", csv, "--dim", "batch=1..32", "--buckets", 3);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().replace(folder + "/", ""))
        .isEqualTo(
            """
            p.csv: 3 arenas of 5 tensors over 5 tasks serve all 32 shapes of batch=1..32, the largest with 184.414 KiB (188,840 bytes): 30.4 % above the best plans of single shapes on average, at most 102.0 %.
            Proved: the layouts are valid for all shapes. The best plans of all compared shapes are proved optimal.

            ARENA OF EACH SHAPE     smallest  largest  average excess  maximum excess
              best plan for each      30,120  188,840           0.0 %           0.0 %
              one layout for all      30,120  188,840           0.0 %           0.0 %
              3 layouts               30,120  188,840           0.0 %           0.0 %

            ARENA OF EACH BUCKET
              3 buckets               60,840  188,840          30.4 %         102.0 %

            ONE ARENA
              plan for the maximum   188,840  188,840         123.2 %         527.0 %

            BUCKETS           arena
              batch=1..7     60,840   59.414 KiB
              batch=8..18   117,160  114.414 KiB
              batch=19..32  188,840  184.414 KiB

            The excess is that over the best plan of the same shape alone, for all 32 shapes.
            """);
  }

  @Test
  void plan_jsonWithRanges_printsALineOfJson() {
    JsonNode report =
        parsed(CommandRun.of("plan", json, "--format", "json", "--buckets", 2, "--alignment", 2));

    assertThat(report.get("dimensions").get("b").toString()).isEqualTo("[1,4]");
    assertThat(report.get("shapes").asLong()).isEqualTo(8);
    assertThat(report.get("comparison")).hasSize(8);
    assertThat(report.get("best_plans").get("proved").asInt()).isEqualTo(8);
    assertThat(report.get("records").get(0).get("bytes").asString())
        .isEqualTo("8*'''odd'' name'*b");
    assertThat(report.get("layout").get("offsets")).hasSize(3);
    assertThat(report.get("maximum_plan").get("offsets")).hasSize(3);
    assertThat(report.get("buckets")).hasSize(2);
    for (JsonNode shape : report.get("comparison")) {
      assertThat(shape.get("best_bytes").asLong())
          .isLessThanOrEqualTo(shape.get("layout_bytes").asLong())
          .isLessThanOrEqualTo(shape.get("bucket_arena_bytes").asLong());
    }
  }

  @Test
  void plan_csvFormat_printsALineForEachKindOfPlan() {
    CommandRun run =
        CommandRun.of("plan", json, "--format", "csv", "--buckets", 2, "--dim", "b=2..3");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().map(line -> line.replace(json + ",", "").split(",", -1)[0]))
        .containsExactly("input", "maximum_plan", "layout", "bucket_arena", "bucket_layout");
  }

  @ParameterizedTest
  @CsvSource({"out.json, 1", "out.csv, 1", "out.json, 3", "out.csv, 3"})
  void output_ofLayouts_isCertifiedAgainAndPlannedAgain(String name, int buckets) {
    Path out = folder.resolve(name);
    assertThat(
            CommandRun.of("plan", json, "--buckets", buckets, "--alignment", 4, "--output", out)
                .exitCode())
        .isZero();

    JsonNode check = parsed(CommandRun.of("check", out, "--format", "json"));
    assertThat(check.get("valid").asBoolean()).isTrue();
    assertThat(check.get("layouts")).hasSize(buckets);
    assertThat(CommandRun.of("check", out).out()).startsWith(out + ": valid for all shapes: ");
    JsonNode again = parsed(CommandRun.of("plan", out, "--format", "json"));
    assertThat(again.get("shapes").asLong()).isEqualTo(8);
    assertThat(CommandRun.of("check", out, "--capacity", 3).exitCode()).isEqualTo(4);
  }

  @Test
  void output_html_hasTheLayoutsAndTheBytesOfAllShapes() throws IOException {
    Path page = folder.resolve("out.html");
    CommandRun run = CommandRun.of("plan", csv, "--dim", "batch=1..5", "--output", page);

    assertThat(run.err()).isEqualTo("stowage: wrote " + page + "\n");
    String html = Files.readString(page);
    assertThat(PageContent.of(html).get("dimensions"))
        .hasToString("[{\"name\":\"batch\",\"values\":[5,1,2,3,4]}]");
    assertThat(html).contains("<td>4096*batch</td>").contains("all 5 shapes");
  }

  @Test
  void plan_allDimensionsFixed_isAnOrdinaryPlan() {
    JsonNode report = parsed(CommandRun.of("plan", csv, "--dim", "batch=8", "--format", "json"));

    assertThat(report.get("records").get(1).get("bytes").asLong()).isEqualTo(13192);
    assertThat(report.get("lower_bounds").get("offsets").asLong()).isEqualTo(65960);
  }

  @Test
  void plan_dimensionOfAFileSetOnTheCommandLine_replacesItsRange() {
    JsonNode report = parsed(CommandRun.of("plan", json, "--dim", "b=3", "--format", "json"));

    assertThat(report.get("dimensions").toString()).isEqualTo("{\"'odd' name\":[2,3]}");
    assertThat(report.get("records").get(0).get("bytes").asString()).isEqualTo("24*'''odd'' name'");
  }

  @Test
  void plan_dimensionOfSizeZero_isNamed() throws IOException {
    Path constant = write("constant.csv", "id,lower,upper,size\na,0,1,5\n");

    assertThat(CommandRun.of("plan", csv, "--dim", "batch=0"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: "
                    + csv
                    + ": line 2: record 'x': size '4096*batch' depends on 'batch', which is 0, expected --dim batch=1 or more\n"));
    assertThat(CommandRun.of("plan", json, "--dim", "b=0").err())
        .startsWith("stowage: " + json + ": line 3, column ")
        .endsWith(
            ": record 0: size '8*b*'''odd'' name'' depends on 'b', which is 0, expected --dim b=1 or more\n");
    assertThat(CommandRun.of("check", csv, "--dim", "batch=0").err())
        .contains("'batch', which is 0");
    assertThat(CommandRun.of("plan", constant, "--dim", "batch=0").err())
        .isEqualTo("stowage: note: " + constant + ": no size depends on --dim 'batch'\n");
  }

  @Test
  void plan_dimensionThatNoSizeHas_isANote() {
    CommandRun run = CommandRun.of("plan", csv, "--dim", "batch=8", "--dim", "seq=4");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEqualTo("stowage: note: " + csv + ": no size depends on --dim 'seq'\n");
  }

  @ParameterizedTest
  @CsvSource({
    "--kind objects,--kind objects",
    "--strategy NAIVE,--strategy NAIVE",
    "--capacity 5,--capacity",
    "--explain,--explain",
    "--output x.svg,'an --output other than .csv, .json or .html'"
  })
  void plan_rangesAndAnOptionOfOneShape_areErrors(String options, String named) {
    String message =
        named
            + " needs one shape, but dimensions have ranges; omit it, or set each dimension to one size\n";
    String[] words = options.split(" ", -1);
    Object[] arguments = new Object[4 + words.length];
    arguments[0] = "plan";
    arguments[1] = csv;
    arguments[2] = "--dim";
    arguments[3] = "batch=1..32";
    System.arraycopy(words, 0, arguments, 4, words.length);
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("stowage: " + message);

    Object[] ofFile = new Object[2 + words.length];
    ofFile[0] = "plan";
    ofFile[1] = json;
    System.arraycopy(words, 0, ofFile, 2, words.length);
    CommandRun refused = CommandRun.of(ofFile);
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).isEqualTo("stowage: " + json + ": " + message);
  }

  @Test
  void plan_bucketsWithoutRanges_isAnError() {
    CommandRun run = CommandRun.of("plan", csv, "--dim", "batch=8", "--buckets", 2);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + csv
                + ": --buckets needs sizes that depend on dimensions with ranges, such as --dim batch=1..32\n");
    assertThat(CommandRun.of("plan", csv, "--buckets", 65).err())
        .startsWith("stowage: --buckets is 65, expected 1 to 64\n");
  }

  @Test
  void plan_faultyExpressionInCsv_namesTheFault() throws IOException {
    Path faulty = Files.writeString(folder.resolve("f.csv"), "id,lower,upper,size\nx,0,2,8*(a\n");

    CommandRun run = CommandRun.of("plan", faulty, "--dim", "a=1..2");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("f.csv: line 2: column size: ").doesNotContain("whole number");
  }

  @Test
  void check_layoutWithAnUnknownDimension_isAnError() throws IOException {
    Path misspelt =
        Files.writeString(
            folder.resolve("m.csv"),
            "id,lower,upper,size,offset[a=1..4],offset[b=5..8]\nx,0,2,8*a,0,0\n");

    CommandRun run = CommandRun.of("check", misspelt);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("but the problem has no range of 'b' on which a size depends");
  }

  @ParameterizedTest
  @CsvSource({
    "batch=0..8,'has the range 0..8'",
    "batch=8..1,'has the range 8..1'",
    "batch=..8,'is not a dimension with its size'",
    "batch=1..,'is not a dimension with its size'"
  })
  void dim_wrongRange_isAnError(String range, String message) {
    CommandRun run = CommandRun.of("plan", csv, "--dim", range);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void plan_dimensionWithoutARange_isAnErrorWithTheLine() {
    CommandRun run = CommandRun.of("plan", csv);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + csv
                + ": line 2: column size is '4096*batch', expected a whole number below 2^63, or a range of 'batch' such as --dim batch=1..32\n");
  }

  @Test
  void plan_jsonDimensionWithoutARange_isAnErrorWithTheRecord() throws IOException {
    Path file =
        write(
            "q.json", "{\"records\": [{\"size\": \"2*n\", \"first_task\": 0, \"last_task\": 1}]}");
    CommandRun run = CommandRun.of("plan", file);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + file
                + ": record '0' has the size '2*n', but dimension 'n' has no range, expected one such as --dim n=1..32\n");
  }

  @ParameterizedTest
  @CsvSource({
    "n - 5,'the size of record 0 must not be negative: n - 5 is -4 at n=1'",
    "n/(n - 2),'the size of record 0 must not be negative: the divisor n - 2 is -1 at n=1'",
    "n*4611686018427387904,'records up to record 0 may need more than 2^63 - 1 bytes: size 4611686018427387904*n, alignment=1'"
  })
  void plan_sizeThatIsInvalidForAShape_isAnErrorWithTheShape(String size, String message)
      throws IOException {
    Path file =
        write(
            "q.json",
            "{\"dimensions\": {\"n\": [1, 9]}, \"records\": [{\"size\": \""
                + size
                + "\", \"first_task\": 0, \"last_task\": 1}]}");
    CommandRun run = CommandRun.of("plan", file);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).isEqualTo("stowage: " + file + ": " + message + "\n");
  }

  @Test
  void check_overlapForAShape_namesTheShapeAndTheRecords() throws IOException {
    Path file =
        write(
            "plan.csv",
            """
            id,lower,upper,size,offset
            a,0,2,4*n,0
            b,1,3,100,64
            """);
    CommandRun run = CommandRun.of("check", file, "--dim", "n=1..20");

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.out())
        .contains(
            "Z3 record 0 and record 1 need the same bytes at task 1 at n=20: bytes 0 to 80, bytes 64 to 164")
        .contains("NOT CERTIFIED")
        .startsWith(file + ": not valid: 1 layout of 2 tensors.\n");
    assertThat(CommandRun.of("check", file, "--dim", "n=1..16").exitCode()).isZero();
    JsonNode json =
        new JsonMapper()
            .readTree(CommandRun.of("check", file, "--dim", "n=1..20", "--format", "json").out());
    assertThat(json.get("layouts").get(0).get("violation").get("shape").toString())
        .isEqualTo("{\"n\":20}");
  }

  @Test
  void check_shapeWithoutALayout_isNotValid() throws IOException {
    Path file =
        write(
            "plan.csv",
            """
            id,lower,upper,size,offset[n=1..4],offset[n=6..9]
            a,0,2,4*n,0,0
            b,1,3,100,end(0),36
            """);
    CommandRun run = CommandRun.of("check", file);

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.out()).contains("No layout contains the shape n=5.");
  }

  @Test
  void plan_interruptedBeforeItStarts_exitsWithTheSignal() {
    assertThat(CommandRun.interrupted("plan", csv, "--dim", "batch=1..32").exitCode())
        .isEqualTo(143);
  }
}
