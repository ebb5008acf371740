package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code stowage plan --bank}. */
class PlanCommandBanksTest {

  private static final String SRAM = "name=sram,bytes=1KiB,alignment=16,cost=1";
  private static final String DRAM = "name=dram,bytes=8KiB,cost=10";

  @TempDir private Path folder;
  private Path problem = Path.of("");

  @BeforeEach
  void writeProblem() throws IOException {
    problem =
        Files.writeString(
            folder.resolve("problem.csv"),
            """
            id,lower,upper,size,reads,bank
            image,0,2,768,1,
            weights,0,9,256,,dram
            conv,1,8,512,6,
            """);
  }

  private static JsonNode json(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return JsonMapper.shared().readTree(run.out());
  }

  private CommandRun plan(Object file, Object... more) {
    Object[] words = new Object[6 + more.length];
    words[0] = "plan";
    words[1] = file;
    words[2] = "--bank";
    words[3] = SRAM;
    words[4] = "--bank";
    words[5] = DRAM;
    System.arraycopy(more, 0, words, 6, more.length);
    return CommandRun.of(words);
  }

  @Test
  void plan_json_hasBanksAndOffsetsOfAllRecords() {
    JsonNode report = json(plan(problem, "--format", "json"));

    assertThat(report.get("banks").toString())
        .isEqualTo(
            "[{\"name\":\"sram\",\"bytes\":1024,\"alignment\":16,\"cost\":1},"
                + "{\"name\":\"dram\",\"bytes\":8192,\"alignment\":1,\"cost\":10}]");
    assertThat(report.get("lower_bounds").toString()).isEqualTo("{\"cost\":24064}");
    assertThat(report.get("records").get(1).get("bank").asString()).isEqualTo("dram");
    assertThat(report.get("records").get(0).has("bank")).isFalse();
    assertThat(report.get("records").get(1).get("reads").asLong()).isEqualTo(1);
    assertThat(report.get("records").get(2).get("reads").asLong()).isEqualTo(6);
    JsonNode greedy = report.get("plans").get(0);
    assertThat(greedy.get("strategy").asString()).isEqualTo("BANKED_GREEDY");
    assertThat(greedy.get("kind").asString()).isEqualTo("banks");
    assertThat(greedy.get("cost").asLong()).isEqualTo(768 * 2 + 256 * 20 + 512 * 70);
    assertThat(greedy.get("banks").toString()).isEqualTo("[\"sram\",\"dram\",\"dram\"]");
    assertThat(greedy.get("optimal").asBoolean()).isFalse();
    JsonNode optimal = report.get("plans").get(1);
    assertThat(optimal.get("strategy").asString()).isEqualTo("OPTIMAL");
    assertThat(optimal.get("cost").asLong()).isEqualTo(768 * 20 + 256 * 20 + 512 * 7);
    assertThat(optimal.get("banks").toString()).isEqualTo("[\"dram\",\"dram\",\"sram\"]");
    assertThat(optimal.get("bank_bytes").toString()).isEqualTo("[512,1024]");
    assertThat(optimal.get("offsets").size()).isEqualTo(3);
    assertThat(optimal.get("optimal").asBoolean()).isTrue();
    assertThat(optimal.get("lower_bound").asLong()).isEqualTo(24064);
    assertThat(optimal.get("ended").asString()).isEqualTo("optimal");
  }

  @Test
  void plan_csv_hasALineForEachPlan() {
    CommandRun run = plan(problem, "--format", "csv");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().replace(problem.toString(), "problem.csv").lines().toList())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "input,strategy,kind,cost,lower_bound_cost,optimal,seconds,nodes,ended,bank_bytes"),
            line ->
                assertThat(line)
                    .matches(
                        "problem.csv,BANKED_GREEDY,banks,42496,24064,false,[0-9.]+,,,sram=768 dram=768"),
            line ->
                assertThat(line)
                    .matches(
                        "problem.csv,OPTIMAL,banks,24064,24064,true,[0-9.]+,[0-9]+,optimal,sram=512 dram=1024"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan.csv", "plan.json"})
  void plan_output_isReadAgainAsTheSamePlan(String name) {
    Path plan = folder.resolve(name);
    CommandRun run = plan(problem, "--output", plan);
    assertThat(run.err()).isEqualTo("stowage: wrote " + plan + "\n");

    JsonNode again = json(plan(plan, "--format", "json"));

    assertThat(again.get("plans").get(0).get("cost").asLong()).isEqualTo(24064);
    assertThat(again.get("plans").get(0).get("optimal").asBoolean()).isTrue();
    assertThat(again.get("records").get(2).get("bank").asString()).isEqualTo("sram");
    assertThat(again.get("records").get(2).get("reads").asLong()).isEqualTo(6);
  }

  @Test
  void plan_page_hasAMapOfEachBankAndAllTensors() throws IOException {
    Path page = folder.resolve("plan.html");
    plan(problem, "--output", page);

    String html = Files.readString(page);
    assertThat(html)
        .contains(
            "<p class=\"figure\">cost 24,064</p>",
            "<h2>sram</h2>",
            "<h2>dram</h2>",
            "<td class=\"text\">conv</td><td class=\"text\">sram</td><td data-value=\"0\">0</td>");
    assertThat(html.split("data:image/svg", -1)).hasSize(3);
  }

  @Test
  void plan_modelOfTflite_countsTheOperatorsThatReadATensor() {
    JsonNode report =
        json(
            CommandRun.of(
                "plan",
                Path.of("examples/mobilenet_v2.tflite"),
                "--bank",
                "name=sram,bytes=512KiB,alignment=16",
                "--bank",
                "name=dram,cost=10",
                "--format",
                "json"));

    assertThat(report.get("plans").get(1).get("optimal").asBoolean()).isTrue();
    assertThat(report.get("records").findValues("reads"))
        .extracting(JsonNode::asLong)
        .contains(1L, 2L)
        .allMatch(reads -> reads >= 1 && reads <= 2);
  }

  @Test
  void plan_modelOfOnnx_hasReads() {
    JsonNode report =
        json(
            CommandRun.of(
                "plan",
                Path.of("examples/tiny_cnn.onnx"),
                "--bank",
                "name=ram",
                "--dim",
                "batch=1",
                "--format",
                "json"));

    assertThat(report.get("records").findValues("reads"))
        .isNotEmpty()
        .extracting(JsonNode::asLong)
        .allMatch(reads -> reads >= 1);
    assertThat(report.get("plans").get(0).get("optimal").asBoolean()).isTrue();
  }

  @Test
  void plan_modelOfOnnxWithARangeOfAnotherDimension_hasTheSameReads() {
    Object[] words = {
      "plan", "examples/tiny_cnn.onnx", "--bank", "name=ram", "--dim", "batch=2", "--format", "json"
    };
    Object[] more = Stream.concat(Stream.of(words), Stream.of("--dim", "x=1..4")).toArray();

    assertThat(json(CommandRun.of(more)).get("records"))
        .isEqualTo(json(CommandRun.of(words)).get("records"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "sram|'sram' is not a bank, expected one such as name=sram,bytes=512KiB,alignment=16,cost=1",
        "name=a,size=1|'name=a,size=1' has an unknown key 'size', expected name, bytes, alignment or cost",
        "bytes=1|'bytes=1' has no name, expected one such as name=sram",
        "name=a,name=b|'name=a,name=b' has name twice, expected once",
        "name=a,bytes=x|'x' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB",
        "name=a,bytes=0|bytes of bank a must be positive: bytes=0",
        "name=a,alignment=0|alignment of bank a must be positive: alignment=0",
        "name=a,cost=-1|cost is '-1', expected a whole number of at most 18 digits",
        "name=|a bank must have a name: name=''"
      })
  void bank_wrongValue_isAWrongCommandLine(String value, String message) {
    CommandRun run = CommandRun.of("plan", problem, "--bank", value);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith("stowage: Invalid value for option '--bank' (BANK): " + message + "\n");
  }

  @Test
  void bank_contradictingOptions_isAWrongCommandLine() {
    assertThat(CommandRun.of("plan", problem, "--bank", "name=a", "--bank", "name=b").err())
        .startsWith("stowage: --bank: only the last bank may be unlimited: a is before b\n");
    assertThat(CommandRun.of("plan", problem, "--bank", "name=a", "--bank", "name=a").err())
        .startsWith("stowage: --bank: banks must have different names: two are named a\n");
    assertThat(plan(problem, "--strategy", "BANKED_GREEDY", "--time-limit", "1").err())
        .startsWith("stowage: --time-limit limits only OPTIMAL, which --strategy does not name\n");
    assertThat(plan(problem, "--strategy", "NAIVE").err())
        .startsWith(
            "stowage: --strategy is 'NAIVE', expected BANKED_GREEDY, OPTIMAL or all with --bank\n");
    assertThat(plan(problem, "--capacity", "1").err())
        .startsWith(
            "stowage: --bank plans offsets in banks with bytes of their own, expected it without --capacity, --explain, --buckets and --kind objects\n");
    assertThat(plan(problem, "--output", "plan.svg").err())
        .startsWith(
            "stowage: --output is 'plan.svg', expected a name that ends in .csv, .json, .html or .h with --bank\n");
  }

  @Test
  void plan_unknownBankOfARecord_isABadInput() {
    CommandRun run = CommandRun.of("plan", problem, "--bank", "name=ram");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + problem
                + ": record 1 'weights' is tied to bank 'dram', expected one of ram\n");
  }

  @Test
  void plan_graphOrTextures_isABadInput() throws IOException {
    Path graph =
        Files.writeString(
            folder.resolve("graph.json"),
            "{\"records\":[{\"size\":1,\"first_task\":0,\"last_task\":0}],\"usage_graph\":[[]]}");
    Path textures =
        Files.writeString(
            folder.resolve("textures.json"),
            "{\"records\":[{\"size\":[1,2],\"first_task\":0,\"last_task\":0}]}");

    assertThat(plan(graph).err())
        .endsWith(
            "the problem has a graph, expected one without for --bank; remove the graph to plan for the order of the tasks\n");
    assertThat(plan(textures).err())
        .endsWith("textures have no offsets, expected sizes in bytes for --bank\n");
    assertThat(plan(textures).exitCode()).isEqualTo(ExitCode.BAD_INPUT);
  }

  @Test
  void plan_tooManyBanks_isAWrongCommandLine() {
    List<Object> words = new ArrayList<>(List.of("plan", problem));
    for (int bank = 0; bank < 100; bank++) {
      words.addAll(List.of("--bank", "name=b" + bank + ",bytes=10"));
    }

    CommandRun run = CommandRun.of(words.toArray());

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: --bank: there must be 1 to 62 banks: banks=100\n");
  }

  @Test
  void plan_pinThatIsNotAligned_isNamedWithTheAlignment() throws IOException {
    Path pinned =
        Files.writeString(
            folder.resolve("pinned.csv"), "id,lower,upper,size,offset,bank\na,0,1,8,4,sram\n");

    CommandRun run = plan(pinned);

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + pinned
                + ": no plan in sram, dram: record 0 'a' of 8 bytes fits into no bank that it may be in: sram has no offset 4, which is not a multiple of 16; proved: no plan fits\n");
  }

  @Test
  void plan_capacityOfTheFile_isIgnoredWithANote() throws IOException {
    Path limited =
        Files.writeString(
            folder.resolve("limited.json"),
            "{\"capacity\":1,\"records\":[{\"size\":8,\"first_task\":0,\"last_task\":0}]}");

    CommandRun run = plan(limited);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: "
                + limited
                + ": the capacity of the file is that of one arena and has no effect with --bank\n");
  }

  @Test
  void plan_costsNear2Pow63_areOptimalOrTooLarge() {
    assertThat(CommandRun.of("plan", problem, "--bank", "name=dram,cost=900000000000000").out())
        .contains(
            " costs 5,068,800,000,000,000,000: by BANKED_GREEDY, 1.500 KiB in dram.\nProved: no plan costs less.\n");
    assertThat(CommandRun.of("plan", problem, "--bank", "name=dram,cost=9000000000000000").err())
        .isEqualTo(
            "stowage: "
                + problem
                + ": the cost of records up to record 0 'image' exceeds 2^63 - 1: bytes=768, reads=1, largest cost of a bank=9000000000000000\n");
  }

  @Test
  void plan_lowerBoundOf0_hasNoPercentageOfIt() throws IOException {
    Path three =
        Files.writeString(
            folder.resolve("three.csv"), "id,lower,upper,size\na,0,1,3\nb,0,1,3\nc,0,1,3\n");
    Path page = folder.resolve("plan.html");

    CommandRun run =
        CommandRun.of(
            "plan",
            three,
            "--bank",
            "name=x,bytes=5,cost=0",
            "--bank",
            "name=y,bytes=5,cost=0",
            "--bank",
            "name=z",
            "--strategy",
            "BANKED_GREEDY",
            "--output",
            page);

    assertThat(run.out())
        .contains("  BANKED_GREEDY      6          +6  3  3          3\n")
        .contains(" costs 6: by BANKED_GREEDY, ", "\nThe plan is at most 6 above the optimum.\n");
    assertThat(page).content().contains("<td class=\"text\">6 above the lower bound</td>");
  }

  @Test
  void plan_outputWithAnAlignment_keepsIt() throws IOException {
    Path plan = folder.resolve("plan.csv");
    plan(problem, "--alignment", "64", "--output", plan);

    assertThat(plan).content().startsWith("id,lower,upper,size,alignment,reads,bank,offset\n");
    assertThat(CommandRun.of("check", plan).exitCode()).isZero();
  }

  @Test
  void plan_greedyWithoutAPlan_isANote() throws IOException {
    Path tight =
        Files.writeString(
            folder.resolve("tight.csv"),
            "id,lower,upper,size\na,0,1,50\nb,0,1,36\nc,0,1,34\nd,0,1,24\ne,0,1,16\n");
    CommandRun run =
        CommandRun.of(
            "plan", tight, "--bank", "name=sram,bytes=100", "--bank", "name=dram,bytes=60,cost=2");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: "
                + tight
                + ": BANKED_GREEDY has no plan: record 4 'e' of 16 bytes fits into no bank: sram of 100 bytes lacks 2, dram of 60 bytes lacks 14\n");
    assertThat(run.out())
        .contains(
            " costs 440: by OPTIMAL, 100 B of 100 B in sram, 60 B of 60 B in dram.\nProved: no plan costs less.\n")
        .doesNotContain("BANKED_GREEDY");
  }
}
