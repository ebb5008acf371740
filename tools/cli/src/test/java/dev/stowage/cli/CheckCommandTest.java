package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CheckCommandTest {

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path validPlan() throws IOException {
    return file(
        "plan.csv",
        """
        id,lower,upper,size,alignment,gaps,name,offset
        0,0,3,1024,64,,"conv, first",3072
        1,1,6,2048,64,3-5,state,1024
        2,2,5,1024,1,,table,0
        3,4,8,512,1,6-7@0:128,out,3072
        """);
  }

  private Path invalidPlan() throws IOException {
    return file(
        "broken.csv",
        """
        id,lower,upper,size,alignment,offset,gaps,name
        0,0,3,1024,64,3000,,"conv, first"
        1,1,6,2048,64,1024,3-5,state
        2,2,5,1024,,0,,table
        3,4,8,512,,900,6-7@0:128,out
        """);
  }

  private static JsonNode json(CommandRun run) {
    return JsonMapper.shared().readTree(run.out());
  }

  @Test
  void check_validPlan_exits0AndPrintsTheDistanceFromTheBound() throws IOException {
    Path plan = validPlan();

    CommandRun run = CommandRun.of("check", plan);

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.DONE,
                """
                %s: valid: an arena of 4.000 KiB (4,096 bytes) with 4 tensors over 8 tasks.

                ARENA          bytes
                  total        4,096  4.000 KiB
                  lower bound  4,096  4.000 KiB
                  difference       0      0.0 %%
                """
                    .formatted(plan),
                ""));
  }

  @Test
  void check_invalidPlan_exits4AndListsAllThatIsWrong() throws IOException {
    Path plan = invalidPlan();

    CommandRun run = CommandRun.of("check", plan, "--capacity", "4000");

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.NO_PLAN,
                """
                %s: not valid: 3 overlaps, 1 misaligned offset, 1 tensor beyond the capacity in an arena of 3.930 KiB (4,024 bytes) with 4 tensors over 8 tasks.

                ARENA          bytes
                  total        4,024  3.930 KiB
                  lower bound  4,096  4.000 KiB
                  difference     -72     -1.8 %%
                  capacity     4,000  3.906 KiB

                VIOLATIONS
                  conv, first (0) and state (1): overlap at task 1 to 2 in bytes 3,000 to 3,071 (72)
                  table (2) and out (3): overlap at task 4 in bytes 900 to 1,023 (124)
                  state (1) and out (3): overlap at task 5 in bytes 1,024 to 1,411 (388)
                  conv, first (0): offset 3,000 is not a multiple of 64
                  conv, first (0): ends at byte 4,024, 24 beyond the capacity
                """
                    .formatted(plan),
                ""));
  }

  @Test
  void check_invalidPlanAsJson_hasTheSame() throws IOException {
    Path plan = invalidPlan();

    CommandRun run = CommandRun.of("check", plan, "--capacity", "4000", "--format", "json");

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.NO_PLAN,
                ("{\"input\":\"%s\",\"format\":\"csv\",\"valid\":false,\"records\":4,\"alignment\":1,\"total_bytes\":4024,"
                        + "\"lower_bounds\":{\"offsets\":4096,\"objects\":4096},\"capacity\":4000,"
                        + "\"violation_counts\":{\"overlap\":3,\"misaligned\":1,\"beyond_capacity\":1,\"not_permitted\":0},\"violations\":["
                        + "{\"kind\":\"misaligned\",\"records\":[\"0\"],\"indices\":[0],\"task\":0,\"offset\":3000,\"alignment\":64},"
                        + "{\"kind\":\"beyond_capacity\",\"records\":[\"0\"],\"indices\":[0],\"task\":0,\"end_byte\":4024},"
                        + "{\"kind\":\"overlap\",\"records\":[\"0\",\"1\"],\"indices\":[0,1],\"task\":1,\"last_task\":2,\"start_byte\":3000,\"end_byte\":3072},"
                        + "{\"kind\":\"overlap\",\"records\":[\"2\",\"3\"],\"indices\":[2,3],\"task\":4,\"last_task\":4,\"start_byte\":900,\"end_byte\":1024},"
                        + "{\"kind\":\"overlap\",\"records\":[\"1\",\"3\"],\"indices\":[1,3],\"task\":5,\"last_task\":5,\"start_byte\":1024,\"end_byte\":1412}]}\n")
                    .formatted(plan),
                ""));
  }

  @ParameterizedTest
  @CsvSource({"csv", "json"})
  void check_whatPlanWrites_isValidAndAsLarge(String ending) throws IOException {
    Path plan = folder.resolve("plan." + ending);
    CommandRun planned =
        CommandRun.of(
            "plan",
            "examples/deeplab_v3.tflite",
            "--alignment",
            "64",
            "--strategy",
            "GREEDY_BY_SIZE",
            "--kind",
            "offsets",
            "--format",
            "json",
            "--output",
            plan);

    CommandRun run = CommandRun.of("check", plan, "--alignment", "64", "--format", "json");

    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.DONE);
    assertThat(json(run).get("valid").asBoolean()).isTrue();
    assertThat(json(run).get("total_bytes").asLong())
        .isEqualTo(json(planned).get("plans").get(0).get("total_bytes").asLong());
    assertThat(json(run).get("lower_bounds")).isEqualTo(json(planned).get("lower_bounds"));
    assertThat(json(run).get("violations").size()).isZero();
  }

  @Test
  void check_overlapInAGapBesideAGraph_isAnOverlapWithANote() throws IOException {
    Path plan =
        file(
            "p.json",
            """
            {"records": [{"size": 4, "first_task": 0, "last_task": 3, "offset": 0,
                          "gaps": [{"first_task": 1, "last_task": 2}]},
                         {"size": 4, "first_task": 1, "last_task": 2, "offset": 0}],
             "reallocation_graph": [[1], [0]]}
            """);

    CommandRun run = CommandRun.of("check", plan);

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out())
        .contains(": not valid: 1 overlap in an arena of 4 bytes with 2 tensors over 4 tasks.\n")
        .endsWith("\nVIOLATIONS\n  0 and 1: overlap at task 1 to 2 in bytes 0 to 3 (4)\n");
    assertThat(run.err())
        .endsWith(
            "p.json: gaps and in_place_of are ignored: a graph also allows other orders of the tasks\n");
  }

  @Test
  void check_planOfNoBytes_hasNoPercentageOfTheBound() throws IOException {
    Path plan = file("p.csv", "id,lower,upper,size,offset\na,0,1,0,7\n");

    assertThat(CommandRun.of("check", plan).out())
        .contains("\n  total            7  7 B\n")
        .endsWith("\n  difference       7\n");
  }

  @Test
  void check_alignmentAndCapacityOfTheFileAndTheCommand_allCount() throws IOException {
    Path plan =
        file(
            "p.json",
            """
            {"capacity": 11, "records": [
              {"id": "a", "size": 4, "first_task": 0, "last_task": 1, "offset": 6, "alignment": 3},
              {"id": "b", "size": 2, "first_task": 1, "last_task": 1, "offset": 10}]}
            """);

    assertThat(CommandRun.of("check", plan).out()).contains("1 tensor beyond the capacity");
    assertThat(CommandRun.of("check", plan, "--capacity", "12").exitCode()).isZero();
    JsonNode aligned =
        json(
            CommandRun.of(
                "check", plan, "--capacity", "12", "--alignment", "4", "--format", "json"));
    assertThat(aligned.get("violations").toString())
        .isEqualTo(
            "[{\"kind\":\"misaligned\",\"records\":[\"a\"],\"indices\":[0],\"task\":0,\"offset\":6,\"alignment\":12},"
                + "{\"kind\":\"misaligned\",\"records\":[\"b\"],\"indices\":[1],\"task\":1,\"offset\":10,\"alignment\":4}]");
  }

  @Test
  void check_severalFiles_oneThatCannotBeReadStopsNoOther() throws IOException {
    Path missing = folder.resolve("missing.csv");
    Path model = Files.copy(Path.of("examples/unet.tflite"), folder.resolve("unet.tflite"));

    CommandRun run = CommandRun.of("check", missing, invalidPlan(), model, validPlan());

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out())
        .contains("broken.csv: not valid: 3 overlaps")
        .contains("\n\n" + folder + "/plan.csv: valid: an arena of 4.000 KiB (4,096 bytes) ");
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: %1$s/missing.csv: does not exist
            stowage: %1$s/unet.tflite: has no offline plan (OfflineMemoryAllocation); stowage rewrite MODEL --output OUT writes one
            """
                .formatted(folder));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p.csv|id,lower,upper,size,offset;x,0,1,9223372036854775807,5|line 2: record 'x': offset is 5, expected 0 or more and an end below 2^63",
        "p.csv|id,lower,upper,size,offset;a,0,1,5,0;b,0,1,5,|line 3: record 'b': has no offset, expected one for every record; stowage plan FILE --output plan.csv writes such a plan",
        "p.csv|id,lower,upper,size,offset;a,0,1,5,-1|line 2: record 'a': has no offset, expected one for every record; stowage plan FILE --output plan.csv writes such a plan",
        "p.csv|id,lower,upper,size;a,0,1,5|line 2: record 'a': has no offset, expected one for every record; stowage plan FILE --output plan.csv writes such a plan",
        "p.csv|id,lower,upper,size,offset;a,0,1,5,-2|line 2: record 'a': offset is -2, expected 0 or more and an end below 2^63",
        "p.csv|id,lower,upper,size,offset;a,0,1,5,9223372036854775803|line 2: record 'a': offset is 9223372036854775803, expected 0 or more and an end below 2^63",
        "p.json|{\"records\":[{\"size\":1,\"first_task\":0,\"last_task\":0}]}|line 1, column 51: record 0: has no offset, expected one for every record; stowage plan FILE --output plan.csv writes such a plan",
        "p.json|{\"records\":[{\"size\":[1,2],\"first_task\":0,\"last_task\":0}]}|has textures, which have no offsets; expected sizes in bytes"
      })
  void check_noPlan_exits3AndNamesTheMissingPart(String name, String text, String message)
      throws IOException {
    Path plan = file(name, text.replace(';', '\n') + "\n");

    CommandRun run = CommandRun.of("check", plan);

    assertThat(run.err()).isEqualTo("stowage: %s: %s\n".formatted(plan, message));
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void check_alignmentThatDoesNotGoWithTheRecords_exits3() throws IOException {
    CommandRun run = CommandRun.of("check", validPlan(), "--alignment", "9223372036854775807");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .contains("plan.csv: records up to record 0 'conv, first' need more than 2^63 - 1 bytes");
  }

  @Test
  void check_manyRecordsOnEachOther_countsAllAndListsAThousand() throws IOException {
    int count = 3000;
    StringBuilder csv = new StringBuilder("id,lower,upper,size,offset\n");
    for (int i = 0; i < count; i++) {
      csv.append("r%s,0,9,8,4\n".formatted(i));
    }
    Path plan = file("p.csv", csv.toString());

    CommandRun table = CommandRun.of("check", plan);
    JsonNode json = json(CommandRun.of("check", plan, "--format", "json"));

    assertThat(table.out()).contains(": not valid: 4,498,500 overlaps in an arena of 12 bytes ");
    assertThat(table.out()).endsWith("\n  and 4,498,400 more\n");
    assertThat(table.out().lines().filter(line -> line.startsWith("  r"))).hasSize(100);
    assertThat(json.get("violation_counts").get("overlap").asLong()).isEqualTo(4_498_500);
    assertThat(json.get("violations").size()).isEqualTo(1000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "check;Missing required parameter: 'FILE'",
        "check p.csv --alignment 0;--alignment is 0, expected 1 or more bytes",
        "check p.csv --format csv;Invalid value for option '--format': expected one of [table, json] (case-insensitive) but was 'csv'"
      })
  void check_wrongCommandLine_exits2(String line, String message) {
    CommandRun run = CommandRun.of((Object[]) line.split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }

  static LongStream seeds() {
    String asked = System.getProperty("tests.seed", "");
    return asked.isEmpty() ? LongStream.range(0, 100) : LongStream.of(Long.parseLong(asked));
  }

  private record Row(int first, int last, int bytes, int offset, int gapFirst, int gapLast) {

    static Row random(Random random, int tasks, int arena) {
      int first = random.nextInt(tasks);
      int last = first + random.nextInt(tasks - first);
      int gapFirst = random.nextInt(3) == 0 ? first + random.nextInt(last - first + 1) : last + 1;
      int gapLast = gapFirst + random.nextInt(3);
      return new Row(
          first, last, random.nextInt(5), random.nextInt(arena), gapFirst, Math.min(gapLast, last));
    }

    String csv(int id) {
      String gap = gapFirst <= last ? gapFirst + "-" + (gapLast + 1) : "";
      return "%s,%s,%s,%s,%s,%s\n".formatted(id, first, last + 1, bytes, offset, gap);
    }

    boolean needs(int task, int address) {
      boolean isLive = first <= task && task <= last && (task < gapFirst || task > gapLast);
      return isLive && offset <= address && address < offset + bytes;
    }
  }

  /** Compares every pair, byte by byte and task by task. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void check_randomPlan_listsThePairsThatShareAByte(long seed) throws IOException {
    Random random = new Random(seed);
    int tasks = 1 + random.nextInt(6);
    int arena = 4 + random.nextInt(50);
    List<Row> rows = new ArrayList<>();
    StringBuilder csv = new StringBuilder("id,lower,upper,size,offset,gaps\n");
    for (int i = 0; i < 8; i++) {
      rows.add(Row.random(random, tasks, arena));
      csv.append(rows.get(i).csv(i));
    }
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < rows.size(); i++) {
      for (int j = i + 1; j < rows.size(); j++) {
        int task = firstCommonTask(rows.get(i), rows.get(j), tasks, arena + 5);
        if (task < tasks) {
          expected.add("[\"%s\",\"%s\"] at %s".formatted(i, j, task));
        }
      }
    }

    CommandRun run = CommandRun.of("check", file("p.csv", csv.toString()), "--format", "json");

    Set<String> found = new TreeSet<>();
    json(run)
        .get("violations")
        .forEach(violation ->
            found.add(violation.get("records") + " at " + violation.get("task").asInt()));
    assertThat(found).as("%s", csv).isEqualTo(expected);
    assertThat(json(run).get("violations").size()).isEqualTo(expected.size());
    assertThat(run.exitCode()).isEqualTo(expected.isEmpty() ? ExitCode.DONE : ExitCode.NO_PLAN);
  }

  private static int firstCommonTask(Row a, Row b, int tasks, int end) {
    for (int task = 0; task < tasks; task++) {
      for (int address = 0; address < end; address++) {
        if (a.needs(task, address) && b.needs(task, address)) {
          return task;
        }
      }
    }
    return tasks;
  }
}
