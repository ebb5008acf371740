package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
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
final class PlanCommandRangesTest {

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
    CommandRun run =
        CommandRun.of(
            "plan",
            csv,
            "--dim",
            "batch=1..32",
            "--buckets",
            3,
            "--strategy",
            "OPTIMAL",
            "--kind",
            "offsets");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().replace(folder + "/", ""))
        .isEqualTo(
            """
            p.csv: One arena of 184.414 KiB (188,840 bytes) holds all 5 tensors of 5 tasks at all 32 shapes of batch=1..32: by OPTIMAL, 18.3 % less than unshared (225.789 KiB).
            Proved: no plan of the largest sizes is smaller.

            OFFSETS in one arena    bytes               over bound
              OPTIMAL             188,840  184.414 KiB     optimal
              lower bound         188,840  184.414 KiB

            BUCKET            arena
              batch=1..10    76,200   74.414 KiB
              batch=11..21  132,520  129.414 KiB
              batch=22..32  188,840  184.414 KiB

            SHAPE       best arena               for all shapes
              batch=1       30,120   29.414 KiB        +527.0 %
              batch=4       45,480   44.414 KiB        +315.2 %
              batch=8       65,960   64.414 KiB        +186.3 %
              batch=12      86,440   84.414 KiB        +118.5 %
              batch=16     106,920  104.414 KiB         +76.6 %
              batch=20     127,400  124.414 KiB         +48.2 %
              batch=24     147,880  144.414 KiB         +27.7 %
              batch=28     168,360  164.414 KiB         +12.2 %
              batch=32     188,840  184.414 KiB          +0.0 %
            """);
  }

  @Test
  void plan_jsonWithRanges_printsALineOfJson() {
    JsonNode report =
        parsed(CommandRun.of("plan", json, "--format", "json", "--buckets", 2, "--alignment", 2));

    assertThat(report.get("dimensions").get("b").toString()).isEqualTo("[1,4]");
    assertThat(report.get("shapes").asLong()).isEqualTo(8);
    assertThat(report.get("confidence").asString()).isEqualTo("exact");
    assertThat(report.has("checked_shapes")).isFalse();
    assertThat(report.get("records").get(0).get("bytes").asLong()).isEqualTo(96);
    assertThat(report.get("buckets")).hasSize(2);
    assertThat(report.get("comparison")).hasSize(8);
    long allBytes = report.get("plans").get(0).get("total_bytes").asLong();
    for (JsonNode shape : report.get("comparison")) {
      assertThat(shape.get("best_bytes").asLong()).isLessThanOrEqualTo(allBytes);
    }
  }

  @Test
  void plan_dimensionOfAFileSetOnTheCommandLine_replacesItsRange() {
    JsonNode report = parsed(CommandRun.of("plan", json, "--dim", "b=3", "--format", "json"));

    assertThat(report.get("dimensions").toString()).isEqualTo("{\"b\":[3,3],\"'odd' name\":[2,3]}");
    assertThat(report.get("records").get(0).get("bytes").asLong()).isEqualTo(72);
    assertThat(report.get("comparison")).hasSize(2);
  }

  @Test
  void plan_onnxModel_isCheckedAtShapes() {
    JsonNode report =
        parsed(
            CommandRun.of(
                "plan", "examples/tiny_cnn.onnx", "--dim", "batch=1..4096", "--format", "json"));

    assertThat(report.get("confidence").asString()).isEqualTo("estimate");
    assertThat(report.get("shapes").asLong()).isEqualTo(4096);
    assertThat(report.get("checked_shapes").asLong()).isBetween(25L, 33L);
    assertThat(report.get("comparison")).hasSize(9);
    assertThat(report.get("comparison").get(8).toString())
        .isEqualTo("{\"dimensions\":{\"batch\":4096},\"best_bytes\":402653184}");
  }

  @Test
  void plan_rangeThatAModelDoesNotHave_isNoted() {
    CommandRun run =
        CommandRun.of(
            "plan",
            "examples/tiny_cnn.onnx",
            "--dim",
            "batch=1..2",
            "--dim",
            "n=1..9",
            "--strategy",
            "OPTIMAL",
            "--kind",
            "offsets");
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: examples/tiny_cnn.onnx: the model has no open dimension named n; its open dimension is batch\n");
    assertThat(run.out()).contains(" for batch=1..2, checked at 2 shapes: ");
    JsonNode one =
        parsed(
            CommandRun.of(
                "plan",
                "examples/tiny_cnn.onnx",
                "--dim",
                "batch=2",
                "--dim",
                "n=1..9",
                "--format",
                "json"));
    assertThat(one.has("comparison")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"out.json", "out.csv"})
  void output_ofBuckets_isAnOrdinaryPlanForEach(String name) {
    Path out = folder.resolve(name);
    CommandRun run = CommandRun.of("plan", json, "--buckets", 2, "--alignment", 4, "--output", out);
    assertThat(run.exitCode()).isZero();

    for (String number : new String[] {"", "-1", "-2"}) {
      Path file = folder.resolve(name.replace(".", number + "."));
      assertThat(run.err()).contains("stowage: wrote " + file + "\n");
      JsonNode check = parsed(CommandRun.of("check", file, "--format", "json"));
      assertThat(check.get("valid").asBoolean()).isTrue();
      assertThat(CommandRun.of("plan", file).exitCode()).isZero();
    }
    assertThat(CommandRun.of("check", out, "--capacity", 3).exitCode()).isEqualTo(4);
    Path input = folder.resolve(name.replace(".", "-1."));
    assertThat(CommandRun.of("plan", input, "--buckets", 2, "--output", out).err())
        .startsWith("stowage: --output is '" + input + "', which is the input; use another name");
  }

  @Test
  void output_html_hasTheArenasOfShapesAndBuckets() throws IOException {
    Path page = folder.resolve("out.html");
    assertThat(
            CommandRun.of("plan", csv, "--dim", "batch=1..5", "--buckets", 2, "--output", page)
                .exitCode())
        .isZero();

    assertThat(Files.readString(page))
        .contains("at all 5 shapes of batch=1..5", ">Bucket<", ">Shape<", ">batch=5<");
    assertThat(Files.readString(folder.resolve("out-1.html")))
        .contains("the plan is for batch=1..");
  }

  @Test
  void plan_otherOptions_planTheLargestSizes() {
    String range = "batch=1..32";
    assertThat(CommandRun.of("plan", csv, "--dim", range, "--capacity", "1KiB").exitCode())
        .isEqualTo(ExitCode.NO_PLAN);
    assertThat(CommandRun.of("plan", csv, "--dim", range, "--kind", "objects").out())
        .startsWith(csv + ": ")
        .doesNotContain("best arena");
    assertThat(CommandRun.of("plan", csv, "--dim", range, "--explain").out())
        .contains("Peak: 188,840 bytes (184.414 KiB) live at task 1.");
    assertThat(CommandRun.of("plan", csv, "--dim", range, "--bank", "name=ram").exitCode())
        .isZero();
    assertThat(
            CommandRun.of("plan", csv, "--dim", range, "--buckets", 2, "--kind", "objects").err())
        .isEqualTo(
            "stowage: "
                + csv
                + ": --buckets divides the shapes among offsets plans, which --kind objects does not plan\n");
  }

  @Test
  void plan_allDimensionsFixed_isAnOrdinaryPlan() {
    JsonNode report = parsed(CommandRun.of("plan", csv, "--dim", "batch=8", "--format", "json"));

    assertThat(report.get("records").get(1).get("bytes").asLong()).isEqualTo(13192);
    assertThat(report.get("lower_bounds").get("offsets").asLong()).isEqualTo(65960);
  }

  @Test
  void plan_dimensionThatNoSizeHas_isANote() {
    CommandRun run = CommandRun.of("plan", csv, "--dim", "batch=8", "--dim", "seq=4");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEqualTo("stowage: note: " + csv + ": no size depends on --dim 'seq'\n");
  }

  @Test
  void plan_bucketsWithoutRanges_isAnError() {
    CommandRun run = CommandRun.of("plan", csv, "--dim", "batch=8", "--buckets", 2);

    assertRefused(
        run,
        csv,
        "--buckets needs sizes that depend on dimensions with ranges, such as --dim batch=1..32");
    assertThat(CommandRun.of("plan", csv, "--buckets", 65).err())
        .startsWith("stowage: --buckets is 65, expected 1 to 64\n");
  }

  @Test
  void plan_faultyExpressionInCsv_namesTheFault() throws IOException {
    Path faulty = Files.writeString(folder.resolve("f.csv"), "id,lower,upper,size\nx,0,2,8*(a\n");

    CommandRun run = CommandRun.of("plan", faulty, "--dim", "a=1..2");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .contains("f.csv: line 2: record 'x': expression ")
        .doesNotContain("whole number");
  }

  @ParameterizedTest
  @CsvSource({
    "batch=0,'has the size 0, expected 1 or more'",
    "batch=0..8,'has the sizes 0..8'",
    "batch=8..1,'has the sizes 8..1'",
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

    assertRefused(
        run,
        csv,
        "line 2: record 'x': size is '4096*batch', expected a whole number below 2^63, or a range of 1 or more for 'batch' such as --dim batch=1..32");
  }

  @Test
  void plan_jsonDimensionWithoutARange_isAnErrorWithTheRecord() throws IOException {
    Path file =
        write(
            "q.json", "{\"records\": [{\"size\": \"2*n\", \"first_task\": 0, \"last_task\": 1}]}");
    CommandRun run = CommandRun.of("plan", file);

    assertRefused(
        run,
        file,
        "line 1, column 61: record 0: size is '2*n', expected a whole number below 2^63, or a range of 1 or more for 'n' such as --dim n=1..32");
  }

  @Test
  void plan_sizeThatIsInvalidForAShape_isAnErrorWithTheShape() throws IOException {
    Path file =
        write(
            "q.json",
            """
            {"dimensions": {"n": [1, 9]}, "records": [{"size": "n - 5", "first_task": 0, "last_task": 1}]}
            """);
    CommandRun run = CommandRun.of("plan", file);

    assertRefused(run, file, "the size of record 0 must not be negative: n - 5 is -4 at n=1");
  }

  @Test
  void plan_pinsGraphsAndPlaces_holdForAllShapes() throws IOException {
    Path pinned = write("pins.csv", "id,lower,upper,size,offset\na,0,2,8*n,64\nb,1,3,100,-1\n");
    JsonNode report = parsed(CommandRun.of("plan", pinned, "--dim", "n=1..9", "--format", "json"));
    for (JsonNode plan : report.get("plans")) {
      assertThat(plan.get("offsets").get(0).asLong()).isEqualTo(64);
    }
    Path places =
        write(
            "places.csv",
            "id,lower,upper,size,in_place_of\na,0,2,8*n,\nb,1,3,8*n,a\nc,2,4,2*n + 9,b\n");
    CommandRun run = CommandRun.of("plan", places, "--dim", "n=1..9", "--strategy", "OPTIMAL");
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: note: %1$s: 1 record may be in place of others; only the offsets of OPTIMAL use this
            """
                .formatted(places));
    Path graph =
        write(
            "graph.json",
            """
            {"usage_graph": [[1], []], "dimensions": {"n": [1, 9]}, "records": [
              {"size": "8*n", "first_task": 0, "last_task": 1},
              {"size": 4, "first_task": 1, "last_task": 2}]}
            """);
    assertThat(CommandRun.of("plan", graph).exitCode()).isZero();
    Path windows = write("w.csv", "id,lower,upper,size,gaps\na,0,4,8*n,1-2@0:4\n");
    assertThat(CommandRun.of("plan", windows, "--dim", "n=1..9").err())
        .isEqualTo(
            "stowage: "
                + windows
                + ": line 2: record 'a': a record with a window in a gap must have a size without dimensions\n");
  }

  @Test
  void check_sizesWithRanges_checksTheLargest() throws IOException {
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
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: "
                + file
                + ": sizes are the largest ones at all 20 shapes of n=1..20\n");
    assertThat(run.out()).startsWith(file + ": not valid: 1 overlap in an arena of 164 bytes ");
    assertThat(CommandRun.of("check", file, "--dim", "n=1..16").exitCode()).isZero();
    assertThat(CommandRun.of("check", file, "--dim", "n=20").exitCode()).isEqualTo(4);
  }

  @Test
  void plan_interruptedBeforeItStarts_exitsWithTheSignal() {
    assertThat(CommandRun.interrupted("plan", csv, "--dim", "batch=1..32").exitCode())
        .isEqualTo(143);
  }

  private static void assertRefused(CommandRun run, Path file, String message) {
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).isEqualTo("stowage: " + file + ": " + message + "\n");
  }
}
