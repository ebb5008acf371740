package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlanCommandOutputTest {

  @TempDir private Path folder;
  private Path problem;

  @BeforeEach
  void writeProblem() throws IOException {
    problem =
        Files.writeString(
            folder.resolve("p.csv"), "id,lower,upper,size\na,0,2,8\nb,1,3,4\nc,2,4,6\n");
  }

  @Test
  void plan_outputs_areAllWritten() throws IOException {
    Path csv = folder.resolve("out.csv");
    Path json = Files.writeString(folder.resolve("OUT.JSON"), "old");

    CommandRun run =
        CommandRun.of("plan", problem, "--output", csv, "--output", json, "--format", "csv");

    assertThat(run.err()).isEqualTo("stowage: wrote %s\nstowage: wrote %s\n".formatted(csv, json));
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(csv).hasContent("id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,8\nc,2,4,6,0\n");
    assertThat(Files.readString(json)).startsWith("{\"capacity\":12,\"records\":[{\"id\":\"a\",");
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("p.csv", "out.csv", "OUT.JSON");
    assertThat(CommandRun.of("plan", json, "--format", "json").out())
        .contains("{\"strategy\":\"TFLM_GREEDY\",\"kind\":\"offsets\",\"total_bytes\":12,");
  }

  @Test
  void plan_outputOverTheInput_exits2AndKeepsIt() throws IOException {
    String before = Files.readString(problem);
    Path same = folder.resolve("../" + folder.getFileName() + "/p.csv");

    CommandRun run = CommandRun.of("plan", problem, "--output", same);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith(
            "stowage: --output is '%s', which is the input; use another name".formatted(same));
    assertThat(problem).hasContent(before);
  }

  @Test
  void plan_outputThatCannotBeWritten_exits1AndTheOthersAreWritten() throws IOException {
    Path noFolder = folder.resolve("none/out.csv");
    Path inFile = problem.resolve("out.csv");
    Path onFolder = Files.createDirectory(folder.resolve("folder.json"));
    Path good = folder.resolve("out.csv");

    CommandRun run =
        CommandRun.of(
            "plan",
            problem,
            "--output",
            noFolder,
            "--output",
            inFile,
            "--output",
            onFolder,
            "--output",
            good);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: %s: cannot be written: the folder %s does not exist; create it first
            stowage: %s: cannot be written: %s is not a folder
            stowage: %s: cannot be written: it is a folder, expected the name of a file
            stowage: wrote %s
            """
                .formatted(noFolder, noFolder.getParent(), inFile, problem, onFolder, good));
    assertThat(good).exists();
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("p.csv", "out.csv", "folder.json");
  }

  @Test
  void plan_idThatIsNoText_exits1AndLeavesTheOldFile() throws IOException {
    Path json =
        Files.writeString(
            folder.resolve("p.json"),
            "{\"records\": [{\"id\": \"\\ud800\", \"size\": 1, \"first_task\": 0, \"last_task\": 0}]}");
    Path old = Files.writeString(folder.resolve("out.csv"), "old");

    CommandRun run = CommandRun.of("plan", json, "--output", old);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: cannot be written: an id or a name is not valid Unicode\n"
                .formatted(old));
    assertThat(old).hasContent("old");
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("p.csv", "p.json", "out.csv");
  }

  /** A picture of a plan that does not fit helps to find the reason. */
  @Test
  void plan_noPlanWithinTheCapacity_writesTheBestPlan() {
    Path csv = folder.resolve("out.csv");

    CommandRun run = CommandRun.of("plan", problem, "--capacity", "11", "--output", csv);

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(csv).exists();
  }

  @Test
  void plan_badInput_writesNothing() throws IOException {
    Path none = folder.resolve("none.csv");
    Path bad = Files.writeString(folder.resolve("bad.csv"), "id,lower,upper,size\na\n");

    assertThat(CommandRun.of("plan", bad, "--output", none).exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(none).doesNotExist();
  }

  @Test
  void plan_outputOfTextures_exits3() throws IOException {
    Path json =
        Files.writeString(
            folder.resolve("t.json"),
            "{\"records\": [{\"size\": [4, 3], \"first_task\": 0, \"last_task\": 1}]}");
    Path none = folder.resolve("none.csv");

    CommandRun run = CommandRun.of("plan", json, "--output", none);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: --output needs an offsets plan, and the input has none\n"
                .formatted(json));
    assertThat(none).doesNotExist();
  }

  @Test
  void plan_unpinned_writesTheProblemWithoutOffsets() throws IOException {
    Path pinned =
        Files.writeString(
            folder.resolve("q.json"),
            """
            {"capacity": 64, "records": [
              {"id": "a", "size": 8, "first_task": 0, "last_task": 1, "offset": 4, "hint": 4},
              {"id": "b", "size": 4, "first_task": 1, "last_task": 2, "reads": 3, "bank": "x"}]}
            """);
    Path csv = folder.resolve("out.csv");
    Path json = folder.resolve("out.json");

    CommandRun run = CommandRun.of("plan", pinned, "--output", csv, "--output", json, "--unpinned");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(csv).hasContent("id,lower,upper,size,hint,reads,bank\na,0,2,8,4,1,\nb,1,3,4,,3,x\n");
    assertThat(json)
        .hasContent(
            "{\"capacity\":64,\"records\":[{\"id\":\"a\",\"name\":\"a\",\"size\":8,\"first_task\":0,\"last_task\":1,\"hint\":4,\"reads\":1},{\"id\":\"b\",\"name\":\"b\",\"size\":4,\"first_task\":1,\"last_task\":2,\"reads\":3,\"bank\":\"x\"}]}");
    assertThat(CommandRun.of("plan", csv).out()).contains("GREEDY_BY_SIZE");
  }
}
