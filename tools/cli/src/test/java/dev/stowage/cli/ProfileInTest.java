package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code --profile-in}: profiles of ONNX Runtime in {@code plan}. */
class ProfileInTest {

  private static final String MODEL = "examples/tiny_cnn.onnx";
  private static final String PROFILE = "examples/tiny_cnn_profile.json";
  private static final String RESOURCES = "tools/cli/src/test/resources/dev/stowage/cli/";
  private static final String COUNTING = RESOURCES + "nonzero.onnx";
  private static final String COUNTING_PROFILE = RESOURCES + "nonzero_profile.json";

  @TempDir private Path folder;

  private static CommandRun plan(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("plan", MODEL));
    all.addAll(List.of("--strategy", "GREEDY_BY_SIZE", "--kind", "offsets"));
    all.addAll(List.of(arguments));
    return CommandRun.of(all.toArray());
  }

  private static String note(String sentence) {
    return "stowage: note: " + MODEL + ": " + sentence + "\n";
  }

  @Test
  void plan_withAProfile_isThatOfTheLargestRun() {
    CommandRun run = plan("--profile-in", PROFILE);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).isEqualTo(plan("--dim", "batch=16").out());
    assertThat(run.err())
        .isEqualTo(
            note(PROFILE + " has runs of 2 shapes; the largest tensors are those at batch=16"));
  }

  @Test
  void plan_ofADimensionInTheProfile_isThatOfItsRun() {
    CommandRun run = plan("--profile-in", PROFILE, "--dim", "batch=8", "--alias");
    assertThat(run.out()).isEqualTo(plan("--dim", "batch=8", "--alias").out());
    assertThat(run.err()).contains("the largest tensors are those at batch=8");
  }

  @Test
  void plan_ofADimensionWithoutRun_exits3() {
    assertThat(plan("--profile-in", PROFILE, "--dim", "batch=3"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: "
                    + PROFILE
                    + ": has no run with batch=3, expected one of batch=16; batch=8\n"));
  }

  /** The session ran a batch of 2 with 3 values, and batches of 3 with 5, 11 and 7 values. */
  @Test
  void plan_ofSizesThatDependOnData_hasTheLargestOfAllRuns() {
    CommandRun run =
        CommandRun.of("plan", COUNTING, "--profile-in", COUNTING_PROFILE, "--format", "json");
    JsonNode plan = new JsonMapper().readTree(run.out());
    Map<String, Long> bytes = new TreeMap<>();
    plan.get("records")
        .forEach(record -> bytes.put(record.get("name").asString(), record.get("bytes").asLong()));
    assertThat(bytes).isEqualTo(Map.of("n", 176L, "t", 176L, "c", 88L, "r", 88L));
    assertThat(run.err())
        .contains("has runs of 2 shapes; the largest tensors are those at batch=3")
        .contains(
            "the sizes of 4 tensors depend on data; the plan uses the sizes in the profiled run: n, t, c, r");
    assertThat(
            CommandRun.of(
                    "plan",
                    COUNTING,
                    "--profile-in",
                    COUNTING_PROFILE,
                    "--dim",
                    "batch=2",
                    "--kind",
                    "offsets")
                .out())
        .contains(
            " holds all 4 tensors of 5 tasks: by GREEDY_BY_SIZE, 33.3 % less than unshared (144 B).");
  }

  @Test
  void plan_withAProfile_hasItOnThePage() throws IOException {
    Path page = folder.resolve("plan.html");
    assertThat(plan("--profile-in", PROFILE, "--output", page).exitCode()).isZero();
    assertThat(Files.readString(page))
        .contains("--profile-in")
        .contains(PROFILE + " has runs of 2 shapes");
  }

  @Test
  void plan_withAProfileOfAnotherModel_exits3() {
    CommandRun run = CommandRun.of("plan", "examples/tiny_branches.onnx", "--profile-in", PROFILE);
    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: "
                    + PROFILE
                    + ": is not a profile of examples/tiny_branches.onnx: none of its operators is in the model\n"));
  }

  @Test
  void plan_withOtherFiles_exits3() throws IOException {
    String missing = folder.resolve("missing.json").toString();
    assertThat(plan("--profile-in", missing))
        .isEqualTo(
            new CommandRun(ExitCode.BAD_INPUT, "", "stowage: " + missing + ": does not exist\n"));
    Path text = Files.writeString(folder.resolve("s.csv"), "#name\nConv_1,1,2,3,4\n");
    assertThat(plan("--profile-in", text).exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(plan("--profile-in", text).err()).startsWith("stowage: " + text + ": is not JSON: ");
  }

  @Test
  void plan_withOptionsThatContradict_exits2() {
    CommandRun range = plan("--profile-in", PROFILE, "--dim", "batch=1..4");
    assertThat(range.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(range.err())
        .startsWith("stowage: --profile-in has single shapes, but --dim sets a range");
    CommandRun two = CommandRun.of("plan", MODEL, MODEL, "--profile-in", PROFILE);
    assertThat(two.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(two.err())
        .startsWith("stowage: --profile-in is the profile of one .onnx model, but FILE is");
  }
}
