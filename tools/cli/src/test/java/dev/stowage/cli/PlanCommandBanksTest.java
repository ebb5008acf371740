package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            "[{\"name\":\"sram\",\"bytes\":1024,\"alignment\":16,\"cost\":1,\"records\":1,"
                + "\"total_bytes\":512,\"lower_bounds\":{\"offsets\":512,\"objects\":512}},"
                + "{\"name\":\"dram\",\"bytes\":8192,\"alignment\":1,\"cost\":10,\"records\":2,"
                + "\"total_bytes\":1024,\"lower_bounds\":{\"offsets\":1024,\"objects\":1024}}]");
    assertThat(report.get("records").findValuesAsString("bank"))
        .containsExactly("dram", "dram", "sram");
    assertThat(report.get("records").get(1).get("reads").asLong()).isEqualTo(1);
    assertThat(report.get("records").get(2).get("reads").asLong()).isEqualTo(6);
    assertThat(report.get("plans")).hasSize(1);
    JsonNode plan = report.get("plans").get(0);
    assertThat(plan.get("strategy").asString()).isEqualTo("MOST_SAVED_FIRST");
    assertThat(plan.get("kind").asString()).isEqualTo("banks");
    assertThat(plan.get("cost").asLong()).isEqualTo(768 * 20 + 256 * 20 + 512 * 7);
    assertThat(plan.get("offsets").size()).isEqualTo(3);
    assertThat(plan.get("ended").asString()).isEqualTo("optimal");
  }

  @Test
  void plan_csv_hasALineForEachBank() {
    CommandRun run = plan(problem, "--format", "csv");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().replace(problem.toString(), "problem.csv").lines().toList())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "input,strategy,kind,cost,seconds,nodes,ended,bank_name,bank_bytes,"
                            + "bank_alignment,bank_cost,bank_records,bank_total_bytes,lower_bound_bytes"),
            line ->
                assertThat(line)
                    .matches(
                        "problem.csv,MOST_SAVED_FIRST,banks,24064,[0-9.]+,0,optimal,sram,1024,16,1,1,512,512"),
            line ->
                assertThat(line)
                    .matches(
                        "problem.csv,MOST_SAVED_FIRST,banks,24064,[0-9.]+,0,optimal,dram,8192,1,10,2,1024,1024"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan.csv", "plan.json"})
  void plan_output_isReadAgainAsTheSamePlan(String name) {
    Path plan = folder.resolve(name);
    CommandRun run = plan(problem, "--output", plan);
    assertThat(run.err()).isEqualTo("stowage: wrote " + plan + "\n");

    JsonNode again = json(plan(plan, "--format", "json"));

    assertThat(again.get("plans").get(0).get("cost").asLong()).isEqualTo(24064);
    assertThat(again.get("records").get(2).get("bank").asString()).isEqualTo("sram");
    assertThat(again.get("records").get(2).get("reads").asLong()).isEqualTo(6);
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
        "sram|'sram' has 'sram', expected each field once, such as name=sram,bytes=512KiB,alignment=16,cost=1",
        "name=a,size=1|'name=a,size=1' has 'size=1', expected each field once, such as name=sram,bytes=512KiB,alignment=16,cost=1",
        "bytes=1|a bank must have a name: name=''",
        "name=a,name=b|'name=a,name=b' has 'name=b', expected each field once, such as name=sram,bytes=512KiB,alignment=16,cost=1",
        "name=a,bytes=x|'x' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB",
        "name=a,bytes=0|bytes of bank a must be positive: bytes=0",
        "name=a,alignment=0|alignment of bank a must be positive: alignment=0",
        "name=a,cost=-1|'-1' is not a whole number, expected one such as 42",
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
    assertThat(CommandRun.of("plan", problem, "--bank", "name=a", "--bank", "name=a").err())
        .startsWith("stowage: --bank: banks must have different names: two are named a\n");
    for (List<String> option :
        List.of(
            List.of("--strategy", "NAIVE"),
            List.of("--capacity", "1"),
            List.of("--explain"),
            List.of("--reorder"),
            List.of("--kind", "objects"),
            List.of("--runtime", "tflm"))) {
      assertThat(plan(problem, option.toArray()).err())
          .startsWith(
              "stowage: %s has no effect on the plans of several memories (--bank); omit it\n"
                  .formatted(option.getFirst()));
    }
    assertThat(plan(problem, "--output", "plan.svg").err())
        .startsWith(
            "stowage: --output is 'plan.svg', expected a name that ends in .csv or .json\n");
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
        .endsWith(
            "--bank needs one size in bytes of each tensor; set dimensions with --dim, and omit textures\n");
    assertThat(plan(textures).exitCode()).isEqualTo(ExitCode.BAD_INPUT);
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
                + ": no plan in banks: record 0 'a' of 8 bytes fits into no bank that it may be in: sram has no offset 4, which is not a multiple of 16; proved: no plan fits\n");
  }

  @Test
  void plan_costsNear2Pow63_areOptimalOrTooLarge() {
    assertThat(CommandRun.of("plan", problem, "--bank", "name=dram,cost=900000000000000").out())
        .contains(
            " costs 5,068,800,000,000,000,000: by LARGEST_FIRST, 1.500 KiB in dram.\nProved: no plan costs less.\n");
    assertThat(CommandRun.of("plan", problem, "--bank", "name=dram,cost=9000000000000000").err())
        .isEqualTo(
            "stowage: "
                + problem
                + ": the cost of all records exceeds 2^63 - 1: bytes written and read=5632, largest cost of a bank=9000000000000000\n");
  }

  @Test
  void plan_outputWithAnAlignment_keepsIt() throws IOException {
    Path plan = folder.resolve("plan.csv");
    plan(problem, "--alignment", "64", "--output", plan);

    assertThat(plan).content().startsWith("id,lower,upper,size,alignment,reads,bank,offset\n");
    assertThat(plan(plan).exitCode()).isZero();
  }

  @Test
  void plan_recordsThatOtherBanksMightHold_exits4AndDoesNotProveIt() throws IOException {
    Path tight =
        Files.writeString(
            folder.resolve("tight.csv"),
            "id,lower,upper,size\na,0,1,50\nb,0,1,36\nc,0,1,34\nd,0,1,24\ne,0,1,16\n");
    CommandRun run =
        CommandRun.of(
            "plan", tight, "--bank", "name=sram,bytes=100", "--bank", "name=dram,bytes=60,cost=2");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + tight
                + ": no plan in banks: record 4 'e' of 16 bytes fits into no bank: sram of 100 bytes lacks 2, dram of 60 bytes lacks 14; another division may fit: tie records to banks, or enlarge a bank\n");
    Path tied =
        Files.writeString(
            folder.resolve("tied.csv"),
            "id,lower,upper,size,bank\na,0,1,50,\nb,0,1,36,dram\nc,0,1,34,\nd,0,1,24,dram\ne,0,1,16,\n");
    assertThat(
            CommandRun.of(
                    "plan",
                    tied,
                    "--bank",
                    "name=sram,bytes=100",
                    "--bank",
                    "name=dram,bytes=60,cost=2")
                .out())
        .contains("100 B of 100 B in sram, 60 B of 60 B in dram.\n");
  }
}
