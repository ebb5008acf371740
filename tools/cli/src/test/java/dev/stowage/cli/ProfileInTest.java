package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code --profile-in}: profiles of ONNX Runtime in {@code plan} and {@code budget}. */
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

  private static JsonNode budget(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("budget", MODEL, "--cpu", "avx2"));
    all.addAll(List.of("--format", "json"));
    all.addAll(List.of(arguments));
    CommandRun run = CommandRun.of(all.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new JsonMapper().readTree(run.out());
  }

  private static List<String> profiled(JsonNode budget) {
    List<String> sentences = new ArrayList<>();
    for (JsonNode evidence : budget.get("evidence")) {
      if (evidence.get("kind").asString().equals("profiled")) {
        sentences.add(evidence.get("sentence").asString());
      }
    }
    return sentences;
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
            note(
                    PROFILE
                        + " has 2 runs of 2 shapes; the largest tensors are those at batch=16; 11 of 11 operators are in the model")
                + note(
                    "in the profile, ONNX Runtime had at most 3,147,176 bytes in use, with weights and workspaces"));
  }

  @Test
  void plan_ofADimensionInTheProfile_isThatOfItsRun() {
    CommandRun run = plan("--profile-in", PROFILE, "--dim", "batch=8", "--alias");
    assertThat(run.out()).isEqualTo(plan("--dim", "batch=8", "--alias").out());
    assertThat(run.err()).contains("the largest tensors are those at batch=8;");
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
        .contains(
            "has 4 runs of 2 shapes; the largest tensors are those at batch=3; 5 of 5 operators are in the model")
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
  void budget_ofSizesThatDependOnData_hasTheLargestOfAllRuns() {
    CommandRun run =
        CommandRun.of(
            "budget",
            COUNTING,
            "--profile-in",
            COUNTING_PROFILE,
            "--cpu",
            "avx2",
            "--format",
            "json");
    Map<String, Long> bytes = new TreeMap<>();
    new JsonMapper()
        .readTree(run.out())
        .get("parts")
        .forEach(
            part -> bytes.put(part.get("name").asString(), part.get("running_bytes").asLong()));
    assertThat(bytes).containsEntry("inputs", 48L).containsEntry("outputs", 88L);
    assertThat(bytes).containsEntry("activations", 512L);
  }

  @Test
  void plan_withAProfile_hasItOnThePage() throws IOException {
    Path page = folder.resolve("plan.html");
    assertThat(plan("--profile-in", PROFILE, "--output", page).exitCode()).isZero();
    assertThat(Files.readString(page))
        .contains("--profile-in")
        .contains(PROFILE + " has 2 runs of 2 shapes");
  }

  @Test
  void plan_withAProfileThatIsCut_usesItsCompleteRuns() throws IOException {
    String text = Files.readString(Path.of(PROFILE));
    Path cut = folder.resolve("cut.json");
    Files.writeString(cut, text.substring(0, text.lastIndexOf("\"name\"")));
    CommandRun run = plan("--profile-in", cut);
    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .contains(
            cut
                + " has 1 run of 1 shape; the largest tensors are those at batch=8; 11 of 11 operators are in the model")
        .contains(note(cut + " ends within an event; its complete runs are used"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "budget"})
  void run_withAProfileOfAnotherModel_exits3(String command) {
    CommandRun run = CommandRun.of(command, "examples/tiny_branches.onnx", "--profile-in", PROFILE);
    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: "
                    + PROFILE
                    + ": is not a profile of examples/tiny_branches.onnx: 0 of its 11 operators are in the model\n"));
  }

  @Test
  void plan_withOtherFiles_exits3() throws IOException {
    String missing = folder.resolve("missing.json").toString();
    assertThat(plan("--profile-in", missing))
        .isEqualTo(
            new CommandRun(ExitCode.BAD_INPUT, "", "stowage: " + missing + ": does not exist\n"));
    Path statistics = Files.writeString(folder.resolve("s.csv"), "#name\nConv_1,1,2,3,4\n");
    assertThat(plan("--profile-in", statistics).err())
        .isEqualTo(
            "stowage: "
                + statistics
                + ": has no shapes; give the profile of the same session with --profile-in, too\n");
    assertThat(plan("--profile-in", PROFILE, "--profile-in", statistics).err())
        .isEqualTo(
            "stowage: "
                + statistics
                + ": has 0 of the 15 operators of "
                + PROFILE
                + ", expected statistics of the same session\n");
    assertThat(plan("--profile-in", statistics, "--profile-in", statistics).err())
        .isEqualTo(
            "stowage: "
                + statistics
                + ": is a second file of statistics, expected one with --profile-in\n");
    assertThat(plan("--profile-in", PROFILE, "--profile-in", PROFILE).err())
        .isEqualTo(
            "stowage: " + PROFILE + ": is a second profile, expected one with --profile-in\n");
  }

  @Test
  void plan_withOptionsThatContradict_exits2() {
    CommandRun range = plan("--profile-in", PROFILE, "--dim", "batch=1..4");
    assertThat(range.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(range.err())
        .startsWith("stowage: --profile-in has single shapes, but --dim sets a range");
    CommandRun two = CommandRun.of("budget", MODEL, MODEL, "--profile-in", PROFILE);
    assertThat(two.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(two.err())
        .startsWith("stowage: --profile-in is the profile of a session, expected one .onnx model");
  }

  @Test
  void budget_withAProfile_isThatOfTheLargestRun() {
    JsonNode profiled = budget("--profile-in", PROFILE);
    assertThat(profiled.get("parts")).isEqualTo(budget("--dim", "batch=16").get("parts"));
    assertThat(profiled(profiled))
        .containsExactly(
            PROFILE
                + " has 2 runs of 2 shapes; the largest tensors are those at batch=16; 11 of 11 operators are in the model",
            "the arena of the session had 3,147,176 bytes, of which at most 3,147,176 were in use, with weights and outputs");
  }

  @Test
  void budget_withOtherThreads_saysThatWorkspacesAreNotUsed() {
    assertThat(profiled(budget("--profile-in", PROFILE, "--threads", "2")))
        .contains(
            "its operators had 1 thread, so that its limits for workspaces are not used; use --threads 1");
  }
}
