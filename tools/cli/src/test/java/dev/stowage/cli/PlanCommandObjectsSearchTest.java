package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The search for shared objects in the command. */
final class PlanCommandObjectsSearchTest {

  /*
   * The positional maximums are 4 and 2, but 8 bytes are needed.
   *
   *           0   1   2
   *   0 (4)   a   c   c       b and c need an object each, so that one of them has a's; d finds
   *   1 (4)   b   b   d       the other one free, and that was of 2
   */
  private static final String ABOVE_MAXIMUMS =
      """
      id,lower,upper,size
      a,0,1,4
      b,0,2,2
      c,1,3,2
      d,2,3,4
      """;

  /** 13 bytes suffice, and every other strategy takes 14 or more. */
  private static final String SAVING =
      """
      id,lower,upper,size
      a,0,1,7
      b,1,3,6
      c,4,7,5
      d,5,6,7
      e,2,5,2
      """;

  /** A limit that ends the search before its first node. */
  private static final String NO_TIME = "0.000000001";

  @TempDir private Path folder;
  private Path csv;

  @BeforeEach
  void writeProblem() throws IOException {
    csv = Files.writeString(folder.resolve("p.csv"), ABOVE_MAXIMUMS);
  }

  private static JsonNode json(CommandRun run) {
    return new JsonMapper().readTree(run.out());
  }

  @Test
  void plan_objectsAboveTheMaximums_areProvedOptimalForAllStrategies() {
    assertThat(CommandRun.of("plan", csv, "--kind", "objects").out())
        .endsWith(
            """

            SHARED OBJECTS       bytes        over bound  objects
              EQUALITY               8   8 B     optimal        3
              GREEDY_IN_ORDER        8   8 B     optimal        2
              GREEDY_BY_BREADTH      8   8 B     optimal        3
              GREEDY_BY_SIZE         8   8 B     optimal        3
              GREEDY_BEST            8   8 B     optimal        3
              MINCOSTFLOW            8   8 B     optimal        2
              OPTIMAL                8   8 B     optimal        3
              NAIVE                 12  12 B     +50.0 %        4
              lower bound            8   8 B
            """);
  }

  @Test
  void plan_severalFiles_haveTheBoundThatIsProved() {
    assertThat(CommandRun.of("plan", csv, csv, "--kind", "objects").out())
        .endsWith(
            """
            INPUT  tensors  shared objects  over bound   saved
              p          4             8 B     optimal  33.3 %
              p          4             8 B     optimal  33.3 %
            """);
  }

  @Test
  void plan_severalFiles_tellTheBestOfEach() throws IOException {
    Path saving = Files.writeString(folder.resolve("saving.csv"), SAVING);
    assertThat(CommandRun.of("plan", saving, csv, "--kind", "objects").out())
        .contains("  saving ", " 13 B     optimal ");
  }

  /** Objects of nearly equal sizes form a smaller arena than a short search for offsets finds. */
  @Test
  void plan_offsetsAndObjects_offsetsAreNotAboveTheObjects() throws IOException {
    Random random = new Random(3);
    List<String> lines = new ArrayList<>(List.of("id,lower,upper,size"));
    for (int i = 0; i < 2_000; i++) {
      int first = random.nextInt(2_000);
      int upper = first + 1 + random.nextInt(60);
      lines.add("%s,%s,%s,%s".formatted(i, first, upper, 1_000 + random.nextInt(40)));
    }
    Path large = Files.write(folder.resolve("large.csv"), lines);

    JsonNode plans =
        json(CommandRun.of(
                "plan", large, "--strategy", "OPTIMAL", "--time-limit", "0.2", "--format", "json"))
            .get("plans");

    assertThat(plans.get(0).get("kind").asString()).isEqualTo("offsets");
    assertThat(plans.get(1).get("kind").asString()).isEqualTo("objects");
    assertThat(plans.get(0).get("total_bytes").asLong())
        .isLessThanOrEqualTo(plans.get(1).get("total_bytes").asLong());
  }

  @Test
  void plan_json_hasTheProvedBoundAndTheMaximumsAreUnchanged() {
    JsonNode line =
        json(
            CommandRun.of(
                "plan",
                csv,
                "--format",
                "json",
                "--strategy",
                "OPTIMAL",
                "--strategy",
                "EQUALITY",
                "--kind",
                "objects"));

    JsonNode other = line.get("plans").get(0);
    JsonNode searched = line.get("plans").get(1);
    assertThat(line.get("lower_bounds").get("objects").asLong()).isEqualTo(6);
    assertThat(other.get("optimal").asBoolean()).isTrue();
    assertThat(other.has("lower_bound")).isFalse();
    assertThat(searched.propertyNames())
        .containsExactly(
            "strategy",
            "kind",
            "total_bytes",
            "object_ids",
            "object_sizes",
            "optimal",
            "seconds",
            "lower_bound",
            "nodes",
            "ended");
    assertThat(searched.get("ended").asString()).isEqualTo("optimal");
    assertThat(searched.get("optimal").asBoolean()).isTrue();
    assertThat(searched.get("lower_bound").asLong()).isEqualTo(8);
    assertThat(searched.get("nodes").asLong()).isPositive();
  }

  @Test
  void plan_csv_hasBoundAndNodes() {
    assertThat(CommandRun.of("plan", csv, "--kind", "objects", "--format", "csv").out())
        .containsPattern(",OPTIMAL,objects,8,8,true,[0-9.]+,[0-9]+,optimal,,,,,\n")
        .containsPattern(",EQUALITY,objects,8,8,true,[0-9.]+,,,,,,,\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7|3600|proved: no plan can be smaller",
        "5|3600|needs 8 bytes, 3 B too many; proved: no plan can be smaller",
        "7|"
            + NO_TIME
            + "|not found in time: the lower bound is 6; a higher --time-limit lets OPTIMAL search longer",
        "5|"
            + NO_TIME
            + "|proved: every plan needs 6 or more; a higher --time-limit lets OPTIMAL search longer"
      })
  void plan_noObjectsWithinTheCapacity_exits4AndSaysWhetherItIsProved(
      String capacity, String limit, String proof) {
    CommandRun run =
        CommandRun.of(
            "plan",
            csv,
            "--kind",
            "objects",
            "--strategy",
            "OPTIMAL",
            "--capacity",
            capacity,
            "--time-limit",
            limit);

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err()).startsWith("stowage: " + csv + ": no plan within").endsWith(proof + "\n");
  }

  @Test
  void plan_noTime_isNotCalledOptimal() {
    assertThat(CommandRun.of("plan", csv, "--kind", "objects", "--time-limit", NO_TIME).out())
        .contains(
            "  OPTIMAL                8   8 B     +33.3 %        3\n",
            "  lower bound            6 ");
  }

  @Test
  void plan_timeLimit_endsTheSearchWithTheBestPlanSoFar() throws IOException {
    Random random = new Random(3);
    List<String> lines = new ArrayList<>(List.of("id,lower,upper,size"));
    for (int i = 0; i < 500; i++) {
      int first = random.nextInt(200);
      int upper = first + 1 + random.nextInt(1 << random.nextInt(8));
      lines.add("%s,%s,%s,%s".formatted(i, first, upper, 1 + random.nextInt(10_000)));
    }
    Path large = Files.write(folder.resolve("large.csv"), lines);

    JsonNode plans =
        json(CommandRun.of(
                "plan", large, "--kind", "objects", "--time-limit", "0.2", "--format", "json"))
            .get("plans");

    JsonNode searched = plans.get(plans.size() - 1);
    assertThat(searched.get("strategy").asString()).isEqualTo("OPTIMAL");
    assertThat(plans)
        .allSatisfy(plan ->
            assertThat(plan.get("total_bytes").asLong())
                .isGreaterThanOrEqualTo(searched.get("total_bytes").asLong()));
  }

  @Test
  void plan_moreRecordsThanAreWorthIt_leavesObjectsOutUnlessAskedFor() throws IOException {
    StringBuilder lines = new StringBuilder("id,lower,upper,size\n");
    for (int i = 0; i <= 5_000; i++) {
      lines.append(i).append(',').append(i).append(',').append(i + 2).append(",8\n");
    }
    Path large = Files.writeString(folder.resolve("large.csv"), lines);

    CommandRun all = CommandRun.of("plan", large, "--format", "csv");
    CommandRun named = CommandRun.of("plan", large, "--format", "csv", "--strategy", "OPTIMAL");

    assertThat(all.err())
        .contains("OPTIMAL objects (above 5,000 records); --strategy NAME runs one");
    assertThat(all.out()).contains(",OPTIMAL,offsets,").doesNotContain(",OPTIMAL,objects,");
    assertThat(named.err()).isEmpty();
    assertThat(named.out()).contains(",OPTIMAL,offsets,16,", ",OPTIMAL,objects,16,16,true,");
  }
}
