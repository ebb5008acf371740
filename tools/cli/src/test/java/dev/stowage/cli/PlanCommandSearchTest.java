package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.net.URL;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class PlanCommandSearchTest {

  /** Records whose smallest plan is not a quick plan. */
  private static final String NOT_QUICK =
      """
      id,lower,upper,size
      a,3,5,2
      b,2,3,4
      c,6,9,4
      d,2,5,4
      e,3,7,1
      f,1,3,4
      g,3,7,5
      """;

  /** At most 6 bytes are live, and 6 are enough; TFLM_GREEDY needs 7. */
  private static final String TRICKY =
      """
      id,lower,upper,size
      a,0,2,2
      b,1,4,2
      c,3,6,3
      d,5,8,1
      e,0,1,4
      f,7,9,3
      """;

  /** A limit that ends the search before its first node. */
  private static final String NO_TIME = "0.000000001";

  @TempDir private Path folder;
  private Path notQuick;
  private Path tricky;
  private Path pair;

  @BeforeEach
  void writeProblems() throws IOException {
    tricky = Files.writeString(folder.resolve("p.csv"), TRICKY);
    notQuick = Files.writeString(folder.resolve("n.csv"), NOT_QUICK);
    pair = Files.writeString(folder.resolve("q.csv"), "id,lower,upper,size\na,0,1,10\nb,0,1,10\n");
  }

  /** {@return a run with three strategies, so that a further one does not change the output} */
  private static CommandRun comparison(Object... words) {
    Stream<Object> strategies =
        Stream.of("GREEDY_BY_SIZE", "TFLM_GREEDY", "OPTIMAL")
            .flatMap(strategy -> Stream.of("--strategy", strategy));
    return CommandRun.of(
        Stream.of(Stream.of("plan"), Stream.of(words), strategies).flatMap(part -> part).toArray());
  }

  private static JsonNode json(CommandRun run) {
    return new JsonMapper().readTree(run.out());
  }

  private static JsonNode lastPlan(CommandRun run, String kind) {
    List<JsonNode> plans = new ArrayList<>();
    json(run).get("plans").forEach(plans::add);
    plans.removeIf(plan -> !plan.get("kind").asString().equals(kind));
    return plans.getLast();
  }

  @Test
  void plan_hintThatEndsBehindTheLargestLong_isNotFollowed() throws Exception {
    URL file = PlanCommandSearchTest.class.getResource("hint-overflow.csv");
    CommandRun run = CommandRun.of("plan", Path.of(file.toURI()), "--format", "json");

    assertThat(run.err()).isEmpty();
    assertThat(lastPlan(run, "offsets").get("total_bytes").asLong()).isEqualTo((1L << 62) + 1);
  }

  @Test
  void plan_optimalIsBetter_standsFirst() {
    CommandRun run = comparison(tricky);

    assertThat(run.out())
        .startsWith(
            """
            %s: One arena of 6 bytes holds all 6 tensors of 9 tasks: by OPTIMAL, 60.0 %% less than unshared (15 B).
            Proved: no plan is smaller.

            OFFSETS in one arena  bytes       over bound
              OPTIMAL                 6  6 B     optimal
            """
                .formatted(tricky));
  }

  @Test
  void plan_optimalIsNoBetter_theBestIsTheSimplestOfTheSameBytes() throws IOException {
    Path chain =
        Files.writeString(
            folder.resolve("chain.csv"), "id,lower,upper,size\na,0,2,8\nb,1,3,4\nc,2,4,6\n");

    assertThat(comparison(chain).out())
        .contains(
            """
              GREEDY_BY_SIZE         12  12 B     optimal
              TFLM_GREEDY            12  12 B     optimal
              OPTIMAL                12  12 B     optimal
            """)
        .startsWith(
            chain
                + ": One arena of 12 bytes holds all 3 tensors of 4 tasks: by GREEDY_BY_SIZE, 33.3 % less than unshared (18 B).\n");
  }

  @Test
  void plan_severalFiles_tellTheBestOfEach() {
    assertThat(comparison(tricky, pair, "--kind", "offsets").out())
        .contains("best arena", " 6 B     optimal ", " 20 B     optimal ");
  }

  @Test
  void plan_jsonOfASearch_hasTheProvedBound() {
    CommandRun run = CommandRun.of("plan", tricky, "--strategy", "OPTIMAL", "--format", "json");

    assertThat(lastPlan(run, "offsets").propertyNames())
        .containsExactly(
            "strategy",
            "kind",
            "total_bytes",
            "offsets",
            "optimal",
            "seconds",
            "lower_bound",
            "nodes",
            "ended");
    assertThat(lastPlan(run, "offsets").get("total_bytes").asLong()).isEqualTo(6);
    assertThat(lastPlan(run, "offsets").get("optimal").asBoolean()).isTrue();
    assertThat(lastPlan(run, "offsets").get("lower_bound").asLong()).isEqualTo(6);
    assertThat(lastPlan(run, "offsets").get("nodes").isIntegralNumber()).isTrue();
    assertThat(lastPlan(run, "offsets").get("ended").asString()).isEqualTo("optimal");
  }

  @Test
  void plan_csvOfASearch_endsWithNodesAndEnd() {
    assertThat(CommandRun.of("plan", tricky, "--strategy", "OPTIMAL", "--format", "csv").out())
        .containsPattern(",OPTIMAL,offsets,6,6,true,[0-9.]+,[0-9]+,optimal,,,,,\n");
  }

  /** Two records of 10 bytes at multiples of 1,000: 20 bytes are live, and an arena needs 1,010. */
  @Test
  void plan_optimumAboveTheLoad_isProvedForAllAndTheLoadStaysTheLoad() {
    CommandRun run =
        CommandRun.of("plan", pair, "--alignment", "1000", "--kind", "offsets", "--format", "json");

    assertThat(json(run).get("lower_bounds").get("offsets").asLong()).isEqualTo(20);
    assertThat(lastPlan(run, "offsets").get("lower_bound").asLong()).isEqualTo(1010);
    assertThat(json(run).get("plans"))
        .allSatisfy(plan -> assertThat(plan.get("optimal").asBoolean()).isTrue());
    assertThat(CommandRun.of("plan", pair, "--alignment", "1000", "--kind", "offsets").out())
        .contains(
            """
              OPTIMAL             1,010  1010 B     optimal
              lower bound         1,010  1010 B
            """);
    assertThat(CommandRun.of("plan", pair, "--alignment", "1000", "--format", "csv").out())
        .contains(",OPTIMAL,offsets,1010,1010,true,");
  }

  @Test
  void plan_timeIsOver_isReportedAndNotCalledOptimal() {
    CommandRun run = CommandRun.of("plan", notQuick, "--time-limit", NO_TIME);
    CommandRun json = CommandRun.of("plan", notQuick, "--time-limit", NO_TIME, "--format", "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .contains("  lower bound            12 ")
        .containsPattern("\n  OPTIMAL +[0-9]+ +[0-9]+ B +\\+[0-9.]+ %\n")
        .containsPattern(
            "^.*: by [A-Z_]+, .*\nThe plan is at most [0-9.]+ % above the optimum\\.\n")
        .containsPattern(
            "\nOPTIMAL reached its time limit after [0-9.]+ s and 0 nodes; a higher --time-limit lets it search longer\\.\n$");
    assertThat(lastPlan(json, "offsets").get("ended").asString()).isEqualTo("time_limit");
    assertThat(lastPlan(json, "offsets").get("optimal").asBoolean()).isFalse();
  }

  @Test
  void plan_aLittleAboveTheBound_isNotTakenForNothing() throws IOException {
    Path csv =
        Files.writeString(
            folder.resolve("little.csv"),
            "id,lower,upper,size,alignment\na,0,1,9999,1\nb,0,1,1,2\n");

    assertThat(CommandRun.of("plan", csv, "--strategy", "NAIVE", "--kind", "offsets").out())
        .contains("  NAIVE               10,001  9.767 KiB      <0.1 %\n")
        .contains("\nThe plan is at most 0.1 % above the optimum.\n");
  }

  @Test
  void plan_optimalAndPins_placesThem() throws IOException {
    Path pinned =
        Files.writeString(
            folder.resolve("pins.csv"), "id,lower,upper,size,offset\na,0,2,8,16\nb,1,3,4,-1\n");

    assertThat(CommandRun.of("plan", pinned, "--strategy", "OPTIMAL", "--format", "csv").out())
        .contains(",OPTIMAL,offsets,24,24,true,");
  }

  @Test
  void plan_optimalAndTextures_exits3() throws IOException {
    Path textures =
        Files.writeString(
            folder.resolve("t.json"),
            "{\"records\": [{\"size\": [4, 3], \"first_task\": 0, \"last_task\": 1}]}");

    assertThat(CommandRun.of("plan", textures, "--strategy", "OPTIMAL"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: %s: OPTIMAL does not plan textures, expected another --strategy\n"
                    .formatted(textures)));
    assertThat(CommandRun.of("plan", textures, "--time-limit", "1").exitCode())
        .isEqualTo(ExitCode.DONE);
  }

  @Test
  void plan_pictureOfTheBestPlan_isOfTheSearch() throws IOException {
    Path svg = folder.resolve("p.svg");
    Path html = folder.resolve("p.html");

    comparison(tricky, "--output", svg, "--output", html);

    assertThat(svg).content().contains("OPTIMAL: 6 bytes for 6 tensors");
    assertThat(html).content().containsPattern("selected>OPTIMAL: 6 B<");
  }

  @Test
  void plan_capacityThatMoreThanSuffices_endsTheSearch() throws IOException {
    CommandRun run = CommandRun.of("plan", tricky, "--capacity", "7", "--strategy", "OPTIMAL");
    Path inFile =
        Files.writeString(
            folder.resolve("p.json"),
            """
            {"capacity": 7, "records": [{"size": 2, "first_task": 0, "last_task": 1},
              {"size": 2, "first_task": 1, "last_task": 3},
              {"size": 3, "first_task": 3, "last_task": 5},
              {"size": 1, "first_task": 5, "last_task": 7},
              {"size": 4, "first_task": 0, "last_task": 0},
              {"size": 3, "first_task": 7, "last_task": 8}]}
            """);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).endsWith("\nOPTIMAL stopped at its first plan within the capacity.\n");
    CommandRun json = CommandRun.of("plan", inFile, "--format", "json");
    assertThat(lastPlan(json, "offsets").get("ended").asString()).isEqualTo("capacity_reached");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "11|3600|the best plan, by OPTIMAL, needs 12 bytes, 1 B too many; proved: no plan can be smaller",
        "11|"
            + NO_TIME
            + "|the best plan, by OPTIMAL, needs 13 bytes, 2 B too many; proved: every plan needs 12 or more;"
            + " a higher --time-limit lets OPTIMAL search longer",
        "12|"
            + NO_TIME
            + "|the best plan, by OPTIMAL, needs 13 bytes, 1 B too many; not found in time:"
            + " the lower bound is 12; a higher --time-limit lets OPTIMAL search longer"
      })
  void plan_noPlanWithinTheCapacity_exits4AndSaysWhetherItIsProved(
      String capacity, String limit, String message) {
    CommandRun run =
        CommandRun.of(
            "plan",
            notQuick,
            "--capacity",
            capacity,
            "--time-limit",
            limit,
            "--strategy",
            "OPTIMAL");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: no plan within %s bytes: %s\n".formatted(notQuick, capacity, message));
  }

  @Test
  void plan_capacityBelowWhatASearchProves_exits4() {
    CommandRun run =
        CommandRun.of(
            "plan", pair, "--alignment", "1000", "--capacity", "1009", "--kind", "offsets");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err()).endsWith("1 B too many; proved: no plan can be smaller\n");
  }

  @ParameterizedTest
  @CsvSource({"--capacity 5, 5", "--capacity 6, ''", "'', 5"})
  void plan_explain_isOfTheCapacityOrOfTheBytesBelowTheBound(String options, String explained) {
    String line = "plan " + tricky + " --kind offsets --explain " + options;

    CommandRun table = CommandRun.of((Object[]) line.strip().split(" ", -1));
    CommandRun json = CommandRun.of((Object[]) (line.strip() + " --format json").split(" ", -1));

    if (explained.isEmpty()) {
      assertThat(table.out()).doesNotContain("Why not");
      assertThat(json(json).has("explanation")).isFalse();
    } else {
      assertThat(table.out()).contains("\n\nWhy not " + explained + " bytes: ");
      assertThat(json(json).get("explanation").get("capacity").asString()).isEqualTo(explained);
    }
  }
}
