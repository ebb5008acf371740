package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The temporary memory of programs that XLA compiled, as its dumps have it. */
class XlaDumpTest {

  @TempDir Path folder;

  private Path dump(String buffers, String ranges) throws IOException {
    return XlaDump.write(folder.resolve("m"), buffers, ranges);
  }

  private Path sample(String name) throws IOException {
    return XlaDump.sample(name, folder.resolve(name));
  }

  private static JsonNode json(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new JsonMapper().readTree(run.out());
  }

  private static JsonNode planNamed(String name, JsonNode report) {
    return report
        .get("plans")
        .valueStream()
        .filter(plan -> plan.get("strategy").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void assertMalformed(String buffers, String ranges, String message) throws IOException {
    Path file = dump(buffers, ranges);
    CommandRun run = CommandRun.of("plan", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).isEqualTo("stowage: " + folder + "/" + message + "\n");
  }

  @ParameterizedTest
  @CsvSource({"gpt, 650133008, 640679952, 382", "mlp, 50855936, 50855936, 71"})
  void plan_ofARealDump_isOptimalAndNotWorseThanXla(
      String name, long xlaBytes, long optimalBytes, int records) throws IOException {
    Path file = sample(name);
    JsonNode plan = json(CommandRun.of("plan", file, "--format", "json", "--strategy", "OPTIMAL"));
    JsonNode best = plan.get("plans").get(0);
    assertThat(plan.get("records").size()).isEqualTo(records);
    assertThat(plan.get("alignment").asLong()).isEqualTo(1);
    assertThat(best.get("strategy").asString()).isEqualTo("OPTIMAL");
    assertThat(best.get("total_bytes").asLong()).isEqualTo(optimalBytes);
    assertThat(best.get("optimal").asBoolean()).isTrue();
    JsonNode xla = planNamed("XLA", plan);
    assertThat(xla.get("total_bytes").asLong()).isEqualTo(xlaBytes);
    assertThat(xla.get("optimal").asBoolean()).isEqualTo(xlaBytes == optimalBytes);
    assertThat(xla.get("offsets").size()).isEqualTo(records);
  }

  @Test
  void plan_ofARealDump_hasARowForXla() throws IOException {
    CommandRun run =
        CommandRun.of("plan", sample("gpt"), "--strategy", "OPTIMAL", "--kind", "offsets");
    assertThat(run.out())
        .contains(
            """
            The rest of the program needs 116,392,204 bytes (111.000 MiB) more, such as parameters, results and constants.

            OFFSETS in one arena        bytes               over bound
              OPTIMAL             640,679,952  611.000 MiB     optimal
              XLA                 650,133,008  620.015 MiB      +1.5 %
              lower bound         640,679,952  611.000 MiB
            """)
        .contains("(3.596 GiB). XLA's own plan has 620.015 MiB (650,133,008 bytes), 1.5 % more.\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void plan_ofAPackedDump_isThatOfTheDump() throws IOException {
    JsonNode plan =
        json(CommandRun.of("plan", XlaDump.packedSample("mlp", folder), "--format", "json"));
    assertThat(planNamed("XLA", plan).get("total_bytes").asLong()).isEqualTo(50_855_936);
  }

  @Test
  void check_ofARealDump_certifiesTheOffsetsOfXla() throws IOException {
    JsonNode check = json(CommandRun.of("check", sample("gpt"), "--format", "json"));
    assertThat(check.get("valid").asBoolean()).isTrue();
    assertThat(check.get("total_bytes").asLong()).isEqualTo(650133008);
  }

  /** The state of a loop has one buffer; its values have live ranges that overlap. */
  @Test
  void plan_valuesThatShareABuffer_areOneRecord() throws IOException {
    JsonNode plan =
        json(CommandRun.of("plan", dump(XlaDump.BUFFERS, XlaDump.RANGES), "--format", "json"));
    JsonNode records = plan.get("records");
    assertThat(records.size()).isEqualTo(3);
    assertThat(records.get(0).get("id").asString()).isEqualTo("init");
    assertThat(records.get(0).get("name").asString()).isEqualTo("init");
    assertThat(records.get(2).get("name").asString()).isEqualTo("other{1}");
    assertThat(plan.get("xla").get("other_bytes").asLong()).isEqualTo(64);
  }

  @Test
  void plan_ofLinesThatEndAsInWindows_isTheSame() throws IOException {
    Path file = dump(XlaDump.BUFFERS.replace("\n", "\r\n"), XlaDump.RANGES.replace("\n", "\r\n"));
    JsonNode plan = json(CommandRun.of("plan", file, "--format", "json"));
    assertThat(plan.get("records").size()).isEqualTo(3);
  }

  /** XLA's plan is as small as the best one, but a strategy is the best in all answers. */
  @Test
  void plan_ofXlaAsGoodAsOthers_namesTheStrategy() throws IOException {
    Path file = dump(XlaDump.BUFFERS.replace("1000", "1024"), XlaDump.RANGES);
    CommandRun table = CommandRun.of("plan", file, "--strategy", "GREEDY_BY_SIZE");
    assertThat(table.out())
        .contains("  XLA                 1,280  1.250 KiB     optimal\n  lower bound")
        .contains(
            ": by GREEDY_BY_SIZE, 44.4 % less than unshared (2.250 KiB). XLA's own plan is as small.\n");
    CommandRun csv = CommandRun.of("plan", file, "--format", "csv");
    assertThat(csv.out()).contains("\n" + file + ",XLA,offsets,1280,1280,true,,,,,,,,\n");
  }

  @Test
  void plan_withALargerAlignment_leavesOutThePlanOfXla() throws IOException {
    CommandRun run =
        CommandRun.of("plan", dump(XlaDump.BUFFERS, XlaDump.RANGES), "--alignment", "4096");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).doesNotContain("XLA");
    assertThat(run.err()).contains("note: " + folder).contains("XLA's own plan is left out");
  }

  @Test
  void plan_ofObjects_hasNoRowForXla() throws IOException {
    CommandRun run =
        CommandRun.of("plan", dump(XlaDump.BUFFERS, XlaDump.RANGES), "--kind", "objects");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).doesNotContain("XLA");
  }

  /** The plan of XLA is no figure of a baseline: a better one would hide a worse strategy. */
  @Test
  void plan_withABaseline_comparesTheStrategies() throws IOException {
    Path file = sample("gpt");
    Path baseline = folder.resolve("memory.json");
    String strategy = "GREEDY_IN_ORDER";
    assertThat(
            CommandRun.of(
                    "plan",
                    file,
                    "--strategy",
                    strategy,
                    "--baseline",
                    baseline,
                    "--update-baseline")
                .exitCode())
        .isEqualTo(ExitCode.DONE);
    assertThat(Files.readString(baseline))
        .contains("\"offsets_bytes\": 972816384")
        .doesNotContain("650133008");
    assertThat(
            CommandRun.of("plan", file, "--strategy", strategy, "--baseline", baseline).exitCode())
        .isEqualTo(ExitCode.DONE);
  }

  @Test
  void plan_toFiles_writesTheBestPlanAndShowsThatOfXla() throws IOException {
    Path csv = folder.resolve("plan.csv");
    Path page = folder.resolve("plan.html");
    CommandRun run =
        CommandRun.of(
            "plan", dump(XlaDump.BUFFERS, XlaDump.RANGES), "--output", csv, "--output", page);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(CommandRun.of("check", csv).exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(Files.readString(page)).contains(">XLA: 1.250 KiB</option>");
  }

  /** A program without temporaries is no error, and needs no plan. */
  @Test
  void plan_withoutTemporaries_hasNoRecords() throws IOException {
    Path file =
        dump(
            """
            BufferAssignment:
            allocation 0: size 64, page 0, parameter 0, shape |f32[16]| at ShapeIndex {}:
             value: <1 x @0> (size=64,offset=0): f32[16]{0}
            """,
            """
            HloLiveRange (max 1):
              BufferLiveRange:
                x{}:0-1
            """);
    CommandRun run = CommandRun.of("plan", file);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).contains(": 0 tensors over 0 tasks, ").contains("needs 64 bytes more, ");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void plan_ofTwoMemories_plansTheLargest() throws IOException {
    Path file =
        dump(
            """
            BufferAssignment:
            allocation 0: size 512, color 1, page 0, preallocated-temp:
             value: <1 x @1> (size=512,offset=0): f32[128]{0}
            allocation 1: size 1024, page 0, preallocated-temp:
             value: <2 y @0> (size=1024,offset=0): f32[256]{0}
            """,
            """
            HloLiveRange (max 1):
              BufferLiveRange:
                x{}:0-1
                y{}:0-1
            """);
    CommandRun run = CommandRun.of("plan", file, "--format", "json");
    JsonNode plan = json(run);
    assertThat(plan.get("records").size()).isEqualTo(1);
    assertThat(plan.get("xla").get("other_bytes").asLong()).isEqualTo(512);
    assertThat(run.err())
        .contains("only allocation 1 is planned, the largest of 2 allocations preallocated-temp");
  }

  @Test
  void explain_namesTheValues() throws IOException {
    Path file = dump(XlaDump.BUFFERS, XlaDump.RANGES);
    CommandRun run = CommandRun.of("plan", file, "--strategy", "OPTIMAL", "--explain");
    assertThat(run.out()).contains("  init      1,000           1          6\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void plan_withoutLiveRanges_namesTheMissingFile() throws IOException {
    Path file = Files.writeString(folder.resolve("m-buffer-assignment.txt"), "BufferAssignment:\n");
    CommandRun run = CommandRun.of("plan", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("needs the file m-live-range.txt beside it");
  }

  @Test
  void plan_filesOfDifferentModules_isAnError() throws IOException {
    assertMalformed(
        XlaDump.BUFFERS,
        XlaDump.RANGES.replace("    init{}:1-3\n", ""),
        "m-buffer-assignment.txt: line 7: value init has no live range in the other file; the two files are of different modules, or that one is cut short");
    assertMalformed(
        XlaDump.BUFFERS,
        XlaDump.RANGES.replace("  Live", "    new{}:1-3\n  Live"),
        "m-buffer-assignment.txt: value new{}: has a live range and no buffer; the two files are of different modules, or this one is cut short");
  }

  @Test
  void plan_ofCutFiles_namesTheLine() throws IOException {
    assertMalformed(
        XlaDump.BUFFERS.substring(0, XlaDump.BUFFERS.indexOf("@0> (size=1000")),
        XlaDump.RANGES,
        "m-buffer-assignment.txt: line 7: expected 'allocation NUMBER: size BYTES, …:' or a value '<ID NAME @0> (size=BYTES,offset=BYTES)'; the file may be cut short");
    assertMalformed(
        XlaDump.BUFFERS.substring(0, XlaDump.BUFFERS.indexOf(" value: <4 late")),
        XlaDump.RANGES.replace("    other{1}:2-8\n", ""),
        "m-buffer-assignment.txt: value late{}: has a live range and no buffer; the two files are of different modules, or this one is cut short");
    assertMalformed(
        XlaDump.BUFFERS,
        XlaDump.RANGES.substring(0, XlaDump.RANGES.indexOf("-3\n")),
        "m-live-range.txt: line 7: expected a live range NAME{INDEX}:FIRST-LAST; the file may be cut short");
    assertMalformed(
        "",
        XlaDump.RANGES,
        "m-buffer-assignment.txt: is no list of buffers, expected 'BufferAssignment:' in the first line");
    assertMalformed(
        XlaDump.BUFFERS,
        "",
        "m-live-range.txt: is no list of live ranges, expected 'HloLiveRange' in the first line");
  }

  @Test
  void plan_ofImpossibleNumbers_namesTheLine() throws IOException {
    assertMalformed(
        XlaDump.BUFFERS.replace("1280", "9223372036854775808"),
        XlaDump.RANGES,
        "m-buffer-assignment.txt: line 6: has the number 9223372036854775808, expected one below 2^63 - 1");
    assertMalformed(
        XlaDump.BUFFERS.replace("size 64", "size 9223372036854775806"),
        XlaDump.RANGES,
        "m-buffer-assignment.txt: line 4: brings the sum of all allocations above 2^63 - 1 bytes");
    assertMalformed(
        XlaDump.BUFFERS.replace("size=256", "size=257"),
        XlaDump.RANGES,
        "m-buffer-assignment.txt: line 10: value other{1} ends beyond its allocation, which has 1280 bytes");
    assertMalformed(
        XlaDump.BUFFERS,
        XlaDump.RANGES.replace("1-3", "3-1"),
        "m-live-range.txt: line 7: has a live range that ends before it begins: 3-1");
    assertMalformed(
        XlaDump.BUFFERS,
        XlaDump.RANGES.replace("1:init", "2:init"),
        "m-live-range.txt: line 4: expected the instruction 1:NAME");
  }

  @Test
  void plan_ofNamesThatOccurTwice_namesTheLine() throws IOException {
    assertMalformed(
        XlaDump.BUFFERS.replace("<4 late", "<4 init"),
        XlaDump.RANGES.replace("    late{}:7-9\n", ""),
        "m-buffer-assignment.txt: line 9: value init occurs twice, expected once");
    assertMalformed(
        XlaDump.BUFFERS,
        XlaDump.RANGES.replace("late{}", "init{}"),
        "m-live-range.txt: line 9: value init{} has a second live range, expected one");
  }

  @Test
  void plan_ofADamagedPackedFile_namesTheFile() throws IOException {
    Path file = XlaDump.packedSample("mlp", folder);
    Path ranges = folder.resolve("mlp-live-range.txt.gz");
    Files.write(ranges, Arrays.copyOf(Files.readAllBytes(ranges), 1000));
    CommandRun run = CommandRun.of("plan", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo("stowage: " + ranges + ": is cut short or damaged, expected a gzip file\n");
  }
}
