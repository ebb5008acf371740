package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Problems with a graph, which allows other orders of tasks. */
final class PlanCommandGraphTest {

  @TempDir private Path folder;

  /** Two records without a path between them, which can be live at the same time in some order. */
  private static Path parallelBranches() throws URISyntaxException {
    return Path.of(PlanCommandGraphTest.class.getResource("parallel-branches.json").toURI());
  }

  @Test
  void plan_parallelBranches_neverShare() throws URISyntaxException {
    CommandRun run = CommandRun.of("plan", parallelBranches(), "--format", "json");

    JsonNode report = new JsonMapper().readTree(run.out());
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(report.get("lower_bounds").get("offsets").asLong()).isEqualTo(160);
    assertThat(report.get("lower_bounds").get("objects").asLong()).isEqualTo(160);
    assertThat(report.get("plans"))
        .hasSize(
            Stream.of(MemoryStrategy.values())
                .mapToInt(strategy -> strategy.plansObjects() ? 2 : 1)
                .sum());
    for (JsonNode plan : report.get("plans")) {
      assertThat(plan.get("total_bytes").asLong()).as("%s", plan).isEqualTo(160);
      assertThat(plan.get("optimal").asBoolean()).as("%s", plan).isTrue();
    }
  }

  @Test
  void plan_parallelBranchesAndACapacity_doNotFitWhereOneWould() throws URISyntaxException {
    CommandRun run = CommandRun.of("plan", parallelBranches(), "--capacity", 159);

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.err())
        .contains("no plan within 159 bytes")
        .contains("needs 160 bytes, 1 B too many");
    assertThat(CommandRun.of("plan", parallelBranches(), "--capacity", 160).exitCode()).isZero();
  }

  @Test
  void plan_output_isReadAgainWithItsGraph() throws URISyntaxException, IOException {
    Path plan = folder.resolve("plan.json");
    assertThat(CommandRun.of("plan", parallelBranches(), "--output", plan).exitCode()).isZero();
    assertThat(Files.readString(plan)).contains("\"usage_graph\":[[],[]]");
    CommandRun again = CommandRun.of("plan", plan, "--strategy", "TFLM_GREEDY", "--format", "csv");
    assertThat(again.out()).contains(",TFLM_GREEDY,offsets,160,160,true,");
  }

  /**
   * The third record may follow the first; the records of the other chain need their own memory.
   */
  @Test
  void plan_chainsSideBySide_areSearchedExactly() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("chains.json"),
            """
            {"records": [{"size": 5, "first_task": 0, "last_task": 1},
                         {"size": 4, "first_task": 1, "last_task": 2},
                         {"size": 3, "first_task": 2, "last_task": 3},
                         {"size": 6, "first_task": 3, "last_task": 3},
                         {"size": 2, "first_task": 4, "last_task": 5},
                         {"size": 3, "first_task": 5, "last_task": 6},
                         {"size": 2, "first_task": 6, "last_task": 7},
                         {"size": 1, "first_task": 7, "last_task": 7}],
             "usage_graph": [[1], [2], [3], [], [5], [6], [7], []]}
            """);

    JsonNode report =
        new JsonMapper().readTree(CommandRun.of("plan", file, "--format", "json").out());

    assertThat(report.get("lower_bounds").get("offsets").asLong()).isEqualTo(14);
    JsonNode last = report.get("plans").get(report.get("plans").size() - 2);
    assertThat(last.get("strategy").asString()).isEqualTo("OPTIMAL");
    assertThat(last.get("total_bytes").asLong()).isEqualTo(14);
    assertThat(last.get("optimal").asBoolean()).isTrue();
  }

  @Test
  void plan_pinsAgainstTheGraph_notesThem() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("pins.json"),
            """
            {"records": [{"size": 4, "first_task": 0, "last_task": 0, "offset": 0},
                         {"size": 4, "first_task": 2, "last_task": 2, "offset": 2},
                         {"size": 2, "first_task": 2, "last_task": 2}],
             "usage_graph": [[], [], []]}
            """);
    Path plan = folder.resolve("plan.json");

    CommandRun run = CommandRun.of("plan", file, "--output", plan);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .contains(
            "note: %s: pinned records 0 and 1 share bytes, but the graph allows an order in which both are live\n"
                .formatted(file));
    assertThat(CommandRun.of("check", plan).out())
        .contains("1 pair that the graph does not permit");
  }

  @Test
  void plan_gapsBesideAGraph_areNotUsed() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("gaps.json"),
            """
            {"records": [{"size": 5, "first_task": 0, "last_task": 4,
                          "gaps": [{"first_task": 1, "last_task": 3}]},
                         {"size": 4, "first_task": 1, "last_task": 2}],
             "reallocation_graph": [[1], [0]]}
            """);

    CommandRun run = CommandRun.of("plan", file, "--strategy", "OPTIMAL", "--format", "csv");

    assertThat(run.err())
        .endsWith(
            "gaps and in_place_of are ignored: a graph also allows other orders of the tasks\n");
    assertThat(run.out()).contains(",OPTIMAL,offsets,9,9,true,");
  }

  @Test
  void plan_texturesBesideAGraph_shareOnlyIfItPermits() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("textures.json"),
            """
            {"records": [{"size": [4, 3], "first_task": 0, "last_task": 0},
                         {"size": [4, 3], "first_task": 1, "last_task": 2},
                         {"size": [4, 3], "first_task": 2, "last_task": 3},
                         {"size": [4, 3], "first_task": 3, "last_task": 3}],
             "usage_graph": [[], [2], [3], []]}
            """);

    CommandRun run = CommandRun.of("plan", file, "--strategy", "EQUALITY", "--format", "json");

    assertThat(run.err()).isEmpty();
    assertThat(new JsonMapper().readTree(run.out()).get("plans").get(0).get("object_sizes"))
        .hasSize(3);
  }
}
