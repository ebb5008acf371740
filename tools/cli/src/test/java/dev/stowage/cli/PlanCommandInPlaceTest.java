package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Problems with records in place of others. */
final class PlanCommandInPlaceTest {

  @TempDir private Path folder;
  private Path problem;

  @BeforeEach
  void writeProblem() throws IOException {
    problem =
        Files.writeString(
            folder.resolve("in_place.csv"),
            """
            id,lower,upper,size,in_place_of
            conv,0,3,1024,
            relu,2,5,1024,conv
            pool,4,8,256,relu
            """);
  }

  private static JsonNode json(CommandRun run) {
    return JsonMapper.shared().readTree(run.out());
  }

  @Test
  void plan_recordsInPlace_shareBytesInThePlanOfOptimalOnly() {
    CommandRun run = CommandRun.of("plan", problem, "--kind", "offsets", "--format", "json");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    JsonNode report = json(run);
    assertThat(report.get("naive_bytes").asLong()).isEqualTo(2304);
    assertThat(report.get("lower_bounds").get("offsets").asLong()).isEqualTo(1024);
    assertThat(report.get("lower_bounds").get("objects").asLong()).isEqualTo(2048);
    assertThat(report.get("records").get(0).has("in_place_of")).isFalse();
    assertThat(report.get("records").get(1).get("in_place_of").asString()).isEqualTo("conv");
    assertThat(report.get("records").get(2).get("in_place_of").asString()).isEqualTo("relu");
    for (JsonNode plan : report.get("plans")) {
      boolean isOptimal = plan.get("strategy").asString().equals("OPTIMAL");
      long bytes = plan.get("total_bytes").asLong();
      assertThat(plan.get("optimal").asBoolean()).as("%s", plan).isEqualTo(isOptimal);
      if (isOptimal) {
        assertThat(bytes).isEqualTo(1024);
        assertThat(plan.get("offsets").toString()).isEqualTo("[0,0,0]");
      } else {
        assertThat(bytes).as("%s", plan).isGreaterThanOrEqualTo(2048);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan.csv", "plan.json"})
  void plan_output_isReadAgainAndValid(String name) throws IOException {
    Path plan = folder.resolve(name);
    CommandRun.of("plan", problem, "--output", plan);

    CommandRun checked = CommandRun.of("check", plan, "--format", "json");
    assertThat(checked.exitCode()).isZero();
    assertThat(json(checked).get("lower_bounds").get("offsets").asLong()).isEqualTo(1024);
    CommandRun again = CommandRun.of("plan", plan, "--strategy", "OPTIMAL", "--format", "json");
    assertThat(json(again).get("records").get(1).get("in_place_of").asString()).isEqualTo("conv");
    assertThat(json(again).get("plans").get(0).get("total_bytes").asLong()).isEqualTo(1024);
    if (name.endsWith(".csv")) {
      assertThat(plan)
          .hasContent(
              """
              id,lower,upper,size,in_place_of,offset
              conv,0,3,1024,,0
              relu,2,5,1024,conv,0
              pool,4,8,256,relu,0
              """);
    } else {
      assertThat(Files.readString(plan)).contains("\"last_task\":4,\"in_place_of\":\"conv\",");
    }
  }

  @Test
  void check_aRecordBesideTheOffsetOfItsSource_namesTheRule() throws IOException {
    Path plan =
        Files.writeString(
            folder.resolve("plan.csv"),
            """
            id,lower,upper,size,in_place_of,offset,name
            conv,0,3,1024,,0,first
            relu,2,5,1024,conv,512,second
            pool,4,8,1280,relu,512,third
            """);

    CommandRun run = CommandRun.of("check", plan);

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out())
        .endsWith(
            """

            VIOLATIONS
              first (conv) and second (relu): overlap at task 2 in bytes 512 to 1,023 (512)
              second (relu) and third (pool): overlap at task 4 in bytes 512 to 1,535 (1,024)
            """);
  }

  @Test
  void plan_explained_countsTheSharedBytesOnce() {
    CommandRun run =
        CommandRun.of(
            "plan",
            problem,
            "--capacity",
            1000,
            "--explain",
            "--format",
            "json",
            "--kind",
            "offsets");

    assertThat(run.exitCode()).isEqualTo(4);
    JsonNode explanation = json(run).get("explanation");
    assertThat(explanation.get("reason").asString()).isEqualTo("live_bytes");
    assertThat(explanation.get("least_bytes").asLong()).isEqualTo(1024);
    assertThat(explanation.get("records")).hasSize(1);
  }

  @Test
  void plan_aGraph_ignoresRecordsInPlaceWithANote() throws IOException {
    Path graph =
        Files.writeString(
            folder.resolve("graph.json"),
            """
            {"records": [{"size": 8, "first_task": 0, "last_task": 1},
                         {"size": 8, "first_task": 1, "last_task": 2, "in_place_of": 0}],
             "usage_graph": [[1], []]}
            """);
    CommandRun run = CommandRun.of("plan", graph, "--strategy", "OPTIMAL", "--format", "json");

    assertThat(run.err())
        .contains(
            "gaps and in_place_of are ignored: a graph also allows other orders of the tasks");
    assertThat(json(run).get("plans").get(0).get("total_bytes").asLong()).isEqualTo(16);
  }

  @Test
  void plan_aliasOfATfliteModel_findsASmallerArena() {
    Path model = SampleModels.examples().resolve("mobilenet_v2.tflite");
    CommandRun run =
        CommandRun.of("plan", model, "--alias", "--strategy", "OPTIMAL", "--format", "json");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    CommandRun without = CommandRun.of("plan", model, "--strategy", "OPTIMAL", "--format", "json");
    assertThat(without.err()).isEmpty();
    assertThat(json(run).get("naive_bytes")).isEqualTo(json(without).get("naive_bytes"));
    assertThat(json(run).get("records").findValuesAsString("in_place_of")).isNotEmpty();
    assertThat(json(run).get("plans").get(0).get("total_bytes").asLong())
        .isLessThanOrEqualTo(json(without).get("plans").get(0).get("total_bytes").asLong());
  }
}
