package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class PlanCommandTest {

  /*
   * The load is 12 at task 1. a and c share bytes.
   *
   *   a  0..1  8 bytes
   *   b  1..2  4 bytes
   *   c  2..3  6 bytes
   */
  private static final String CHAIN = "id,lower,upper,size\na,0,2,8\nb,1,3,4\nc,2,4,6\n";

  private static final String PINNED = "id,lower,upper,size,offset\na,0,2,8,16\nb,1,3,4,-1\n";

  private static final String TEXTURES =
      """
      {"records": [{"size": [4, 3], "first_task": 0, "last_task": 1},
                   {"size": [2, 8], "first_task": 2, "last_task": 3}]}
      """;

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static List<JsonNode> jsonLines(CommandRun run) {
    List<JsonNode> lines = new ArrayList<>();
    run.out().lines().forEach(line -> lines.add(new JsonMapper().readTree(line)));
    return lines;
  }

  private static List<String> names(JsonNode object) {
    return List.copyOf(object.propertyNames());
  }

  /** {@return strategy, kind and total bytes of each line of CSV} */
  private static List<String> plans(CommandRun run) {
    return run.out()
        .lines()
        .skip(1)
        .map(line -> {
          List<String> fields = List.of(line.split(",", -1));
          return String.join(" ", fields.subList(fields.size() - 13, fields.size() - 10));
        })
        .toList();
  }

  @Test
  void plan_json_hasTheFieldsOfTheContract() throws IOException {
    Path csv = file("p.csv", CHAIN);

    CommandRun run =
        CommandRun.of(
            "plan", csv, "--format", "json", "--strategy", "naive", "--strategy", "TFLM_GREEDY");
    JsonNode line = jsonLines(run).getFirst();

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines()).hasSize(1);
    assertThat(names(line))
        .containsExactly(
            "input",
            "format",
            "operators",
            "alignment",
            "naive_bytes",
            "lower_bounds",
            "records",
            "plans");
    assertThat(line.get("input").asString()).isEqualTo(csv.toString());
    assertThat(line.get("format").asString()).isEqualTo("csv");
    assertThat(line.get("operators").asLong()).isEqualTo(4);
    assertThat(line.get("alignment").asLong()).isEqualTo(1);
    assertThat(line.get("naive_bytes").asLong()).isEqualTo(18);
    assertThat(line.get("lower_bounds")).hasToString("{\"offsets\":12,\"objects\":12}");
    assertThat(line.get("records"))
        .hasToString(
            "[{\"id\":\"a\",\"name\":\"a\",\"bytes\":8,\"first_task\":0,\"last_task\":1},"
                + "{\"id\":\"b\",\"name\":\"b\",\"bytes\":4,\"first_task\":1,\"last_task\":2},"
                + "{\"id\":\"c\",\"name\":\"c\",\"bytes\":6,\"first_task\":2,\"last_task\":3}]");
    assertThat(line.get("plans")).hasSize(3);
    assertThat(line.get("plans").get(0).get("seconds").isNumber()).isTrue();
    assertThat(withoutSeconds(line.get("plans").get(0)))
        .isEqualTo(
            "{\"strategy\":\"NAIVE\",\"kind\":\"offsets\",\"total_bytes\":18,"
                + "\"offsets\":[0,8,12],\"optimal\":false}");
    assertThat(withoutSeconds(line.get("plans").get(1)))
        .isEqualTo(
            "{\"strategy\":\"NAIVE\",\"kind\":\"objects\",\"total_bytes\":18,"
                + "\"object_ids\":[0,1,2],\"object_sizes\":[8,4,6],\"optimal\":false}");
    assertThat(withoutSeconds(line.get("plans").get(2)))
        .isEqualTo(
            "{\"strategy\":\"TFLM_GREEDY\",\"kind\":\"offsets\",\"total_bytes\":12,"
                + "\"offsets\":[0,8,0],\"optimal\":true}");
  }

  private static String withoutSeconds(JsonNode plan) {
    return plan.toString().replaceAll(",\"seconds\":[-0-9.E]+", "");
  }

  @Test
  void plan_jsonOfTextures_hasExtentsInPlaceOfBytes() throws IOException {
    CommandRun run =
        CommandRun.of("plan", file("t.json", TEXTURES), "--format", "json", "--strategy", "naive");
    JsonNode line = jsonLines(run).getFirst();

    assertThat(names(line)).containsExactly("input", "format", "operators", "records", "plans");
    assertThat(line.get("records").get(1))
        .hasToString(
            "{\"id\":\"1\",\"name\":\"1\",\"extent\":[2,8],\"first_task\":2,\"last_task\":3}");
    assertThat(line.get("plans").get(0).get("object_sizes")).hasToString("[[4,3],[2,8]]");
  }

  @Test
  void plan_csv_isALineAPlanUnderOneHeader() throws IOException {
    Path odd = file("a,\"b\".csv", CHAIN);

    CommandRun run =
        CommandRun.of(
            "plan", odd, file("p.csv", CHAIN), "--format", "csv", "--strategy", "tflm_greedy");

    assertThat(run.out())
        .matches(
            """
            input,strategy,kind,total_bytes,lower_bound_bytes,optimal,seconds,nodes,ended,total_texels,head_bytes,tail_bytes,arena_bytes,kernels
            "\\Q%s/a,""b"".csv\\E",TFLM_GREEDY,offsets,12,12,true,[0-9.]+,,,,,,,
            \\Q%s\\E/p.csv,TFLM_GREEDY,offsets,12,12,true,[0-9.]+,,,,,,,
            """
                .formatted(folder, folder));
  }

  @Test
  void plan_oneBadFileAmongSeveral_theOthersAreDoneInOrder() throws IOException {
    Path good = file("good.csv", CHAIN);
    Path bad = file("bad.csv", "id,lower,upper,size\na,0,2\n");
    Path also = file("also.json", "{\"records\": [], \"x\": 1}");

    CommandRun run =
        CommandRun.of("plan", good, bad, "none.csv", folder, also, "--format", "json", "--debug");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(jsonLines(run))
        .map(line -> line.get("input").asString())
        .containsExactly(good.toString(), also.toString());
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: %s: is a folder without models, expected .tflite, .onnx or …-buffer-assignment.txt files; name each .csv and .json file
            stowage: %s: line 2: is not CSV: Not enough column values: expected 4, found 3
            stowage: none.csv: does not exist
            stowage: note: %s: unknown keys are ignored: 'x'
            stowage: note: %s: nothing is planned: there are no records
            """
                .formatted(folder, bad, also, also));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "check", "verify", "replay"})
  void anyCommand_emptyName_isAnErrorWithTheReason(String command) {
    assertThat(CommandRun.of(command, ""))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: the name of a FILE is empty, expected the path of a file\n"));
  }

  @Test
  void plan_pinFarFromTheOthers_isMoreThanTheTensorsHave() throws IOException {
    Path file = file("p.csv", "id,lower,upper,size,offset\na,0,1,1,6\n");
    assertThat(CommandRun.of("plan", file).out()).contains(", 600.0 % more than unshared (1 B).");
  }

  @Test
  void plan_explainOfTextures_notesThatItIsUnsupported() throws IOException {
    Path file =
        file("t.json", "{\"records\": [{\"size\": [1, 1], \"first_task\": 0, \"last_task\": 0}]}");
    assertThat(CommandRun.of("plan", file, "--explain").err())
        .isEqualTo(
            "stowage: note: %s: --explain explains offsets, which textures do not have\n"
                .formatted(file));
  }

  @Test
  void plan_unknownKindOfFile_exits3() throws IOException {
    Path text = file("p.txt", CHAIN);

    assertThat(CommandRun.of("plan", text))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: %s: has an unknown extension, expected a model (.tflite, .onnx), a problem (.csv, .json, or any with --input-format), or XLA's …-buffer-assignment.txt; stowage replay reads traces\n"
                    .formatted(text)));
  }

  @Test
  void plan_noTfliteModel_exits3WithoutAStackTrace() throws IOException {
    CommandRun run = CommandRun.of("plan", file("m.tflite", CHAIN));

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).startsWith("stowage: " + folder + "/m.tflite: ").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "offsets, NAIVE offsets 18, TFLM_GREEDY offsets 12",
    "objects, NAIVE objects 18, GREEDY_BY_BREADTH objects 12",
    "OFFSETS, NAIVE offsets 18, EQUALITY offsets 18"
  })
  void plan_kind_isTheOnlyKindPlanned(String kind, String one, String another) throws IOException {
    CommandRun run = CommandRun.of("plan", file("p.csv", CHAIN), "--kind", kind, "--format", "csv");

    assertThat(plans(run))
        .contains(one, another)
        .allMatch(plan -> plan.contains(" " + one.split(" ", -1)[1] + " "));
  }

  @Test
  void plan_noStrategyOrAll_areAllThatApply() throws IOException {
    Path csv = file("p.csv", CHAIN);

    List<String> all = plans(CommandRun.of("plan", csv, "--format", "csv"));

    assertThat(all)
        .doesNotHaveDuplicates()
        .hasSizeGreaterThan(MemoryStrategy.values().length)
        .contains("TFLM_GREEDY offsets 12", "GREEDY_BY_SIZE offsets 12", "MINCOSTFLOW objects 12")
        .contains("OPTIMAL offsets 12", "OPTIMAL objects 12");
    assertThat(plans(CommandRun.of("plan", csv, "--format", "csv", "--strategy", "ALL")))
        .isEqualTo(all);
    assertThat(
            plans(
                CommandRun.of(
                    "plan", csv, "--format", "csv", "--strategy", "all", "--strategy", "naive")))
        .isEqualTo(all);
  }

  @Test
  void plan_pinsAndAll_skipsStrategiesThatCannotPlaceThem() throws IOException {
    CommandRun run = CommandRun.of("plan", file("p.csv", PINNED), "--format", "csv");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(plans(run))
        .contains("TFLM_GREEDY offsets 24", "OPTIMAL offsets 24")
        .noneMatch(plan -> plan.startsWith("GREEDY_BY_SIZE") || plan.contains("objects"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "p.csv;GREEDY_BY_SIZE;both;GREEDY_BY_SIZE cannot place pinned records, expected offsets of TFLM_GREEDY or OPTIMAL",
        "p.csv;EQUALITY;offsets;EQUALITY cannot place pinned records, expected offsets of TFLM_GREEDY or OPTIMAL",
        "p.csv;OPTIMAL;objects;OPTIMAL cannot place pinned records in shared objects, expected offsets of TFLM_GREEDY or OPTIMAL",
        "t.json;GREEDY_BY_SIZE;both;GREEDY_BY_SIZE does not plan textures, expected another --strategy",
        "t.json;NAIVE;offsets;textures have no offsets, expected --kind objects"
      })
  void plan_whatAStrategyAskedForByNameCannotPlan_exits3(
      String name, String strategy, String kind, String message) throws IOException {
    Path problem = file(name, name.equals("p.csv") ? PINNED : TEXTURES);

    assertThat(
            CommandRun.of(
                "plan", problem, "--strategy", strategy, "--strategy", "all", "--kind", kind))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT, "", "stowage: %s: %s\n".formatted(problem, message)));
  }

  @Test
  void plan_alignment_isThatOfEveryOffset() throws IOException {
    CommandRun run =
        CommandRun.of(
            "plan",
            file("p.csv", CHAIN),
            "--alignment",
            "7",
            "--strategy",
            "naive",
            "--format",
            "json",
            "--kind",
            "offsets");

    assertThat(jsonLines(run).getFirst().get("alignment").asLong()).isEqualTo(7);
    assertThat(jsonLines(run).getFirst().get("plans").get(0).get("offsets"))
        .hasToString("[0,14,21]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "32;record 0 is pinned to an offset that is not a multiple of the alignment of all records:"
            + " offset=16, alignment=32",
        "9223372036854775807;records up to record 0 need more than 2^63 - 1 bytes:"
            + " bytes=8, alignment=1, alignment of all records=9223372036854775807"
      })
  void plan_alignmentThatContradictsTheProblem_exits3(String alignment, String message)
      throws IOException {
    Path problem = file("p.csv", PINNED);

    assertThat(CommandRun.of("plan", problem, "--alignment", alignment))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT, "", "stowage: %s: %s\n".formatted(problem, message)));
  }

  @Test
  void plan_pinsOnEachOther_areNoted() throws IOException {
    Path csv = file("p.csv", "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,0\n");

    CommandRun run = CommandRun.of("plan", csv, "--format", "csv");

    assertThat(run.err())
        .isEqualTo(
            """
            stowage: note: %s: pinned records 0 and 1 overlap at task 1
            stowage: note: %s: some records are pinned; strategies that cannot place them are skipped
            """
                .formatted(csv, csv));
    assertThat(run.out()).contains(",TFLM_GREEDY,offsets,8,8,true,");
  }

  @Test
  void plan_moreRecordsThanAStrategyCompares_namesItAndItsLimit() throws IOException {
    StringBuilder csv = new StringBuilder("id,lower,upper,size\n");
    for (int i = 0; i <= 1_000; i++) {
      csv.append("r").append(i).append(",").append(i).append(",").append(i + 2).append(",1\n");
    }
    Path problem = file("p.csv", csv.toString());

    assertThat(CommandRun.of("plan", problem, "--format", "csv").err())
        .isEqualTo(
            "stowage: note: %s: skipped because they may take long for so many records: MINCOSTFLOW objects (above 1,000 records), MINCOSTFLOW offsets (above 1,000 records); --strategy NAME runs one\n"
                .formatted(problem));
  }
}
