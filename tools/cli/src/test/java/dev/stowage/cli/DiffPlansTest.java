package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code stowage diff} of models and problems. */
class DiffPlansTest {

  @TempDir private Path folder;

  private Path csv(String name, String... lines) throws IOException {
    return Files.writeString(
        folder.resolve(name), "id,lower,upper,size\n" + String.join("\n", lines) + "\n");
  }

  private Path before() throws IOException {
    return csv("before.csv", "in,0,2,1000", "conv,1,3,2000", "old,2,4,700", "same,3,5,100");
  }

  private Path after() throws IOException {
    return csv(
        "after.csv", "in,0,3,1000", "conv,1,3,4096", "new,2,4,512", "less,0,1,0", "same,3,5,100");
  }

  private String text(String out) {
    return out.replace(folder + "/", "");
  }

  @Test
  void diff_ofProblems_namesTheTensorsThatChanged() throws IOException {
    CommandRun run = CommandRun.of("diff", before(), after());
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(text(run.out()))
        .isEqualTo(
            """
            after.csv needs 2.547 KiB (2,608 bytes) more than before.csv (+86.9 %), most of it from conv.
            Proved: no plan of A or of B is smaller.
            A: before.csv: arena of 3,000 bytes (2.930 KiB) (GREEDY_BY_SIZE)
            B: after.csv: arena of 5,608 bytes (5.477 KiB) (GREEDY_BY_SIZE)

            CHANGE    growth      A      B   tasks  tensor
              grown   +2,096  2,000  4,096       2  conv
              new       +512      0    512  0 -> 2  new
              gone      -700    700      0  2 -> 0  old
              longer       0  1,000  1,000  2 -> 3  in
              new          0      0      0  0 -> 1  less
                           0    100    100          1 other
            """);
  }

  @Test
  void diff_asJson_hasFiguresAndTensors() throws IOException {
    CommandRun run = CommandRun.of("diff", before(), after(), "--format", "json");
    JsonNode json = new JsonMapper().readTree(run.out());
    assertThat(json.get("kind").stringValue()).isEqualTo("plan");
    assertThat(json.get("bytes_a").longValue()).isEqualTo(3000);
    assertThat(json.get("bytes_b").longValue()).isEqualTo(5608);
    assertThat(json.get("growth_bytes").longValue()).isEqualTo(2608);
    assertThat(json.get("tensors").get(0).toString())
        .isEqualTo(
            "{\"name\":\"conv\",\"change\":\"grown\",\"bytes_a\":2000,\"bytes_b\":4096,\"tasks_a\":2,\"tasks_b\":2,\"peak_growth_bytes\":2096}");
  }

  @Test
  void diff_ofAProblemWithItself_hasNoDifference() throws IOException {
    CommandRun run = CommandRun.of("diff", before(), before(), "--fail-above", "0");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(text(run.out()))
        .isEqualTo(
            """
            No difference: both have tensors of the same sizes and lifetimes.
            Proved: no plan of A or of B is smaller.
            A: before.csv: arena of 3,000 bytes (2.930 KiB) (GREEDY_BY_SIZE)
            B: before.csv: arena of 3,000 bytes (2.930 KiB) (GREEDY_BY_SIZE)
            """);
  }

  @Test
  void diff_growthAboveTheBound_exitsWith4() throws IOException {
    Path a = before();
    Path b = after();
    assertThat(CommandRun.of("diff", a, b, "--fail-above", "2608").exitCode())
        .isEqualTo(ExitCode.DONE);
    CommandRun run = CommandRun.of("diff", a, b, "--fail-above", "2KiB");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(text(run.err()))
        .isEqualTo(
            "stowage: after.csv: needs 2,608 bytes (2.547 KiB) more than before.csv, expected at most 2,048 bytes (2.000 KiB)\n");
  }

  @Test
  void diff_problemWithOffsets_comparesItsPlanAsWritten() throws IOException {
    Path planned =
        Files.writeString(
            folder.resolve("planned.csv"),
            "id,lower,upper,size,offset\nin,0,2,1000,0\nconv,1,3,2000,9000\n");
    CommandRun run = CommandRun.of("diff", before(), planned, "--format", "json");
    JsonNode json = new JsonMapper().readTree(run.out());
    assertThat(json.get("strategy_b").stringValue()).isEqualTo("as written");
    assertThat(json.get("bytes_b").longValue()).isEqualTo(11000);
    assertThat(json.get("lower_bound_bytes_b").longValue()).isEqualTo(3000);
  }

  @Test
  void diff_planThatOverlaps_isRefused() throws IOException {
    Path planned =
        Files.writeString(
            folder.resolve("planned.csv"),
            "id,lower,upper,size,offset\nin,0,2,1000,0\nconv,1,3,2000,900\n");
    CommandRun run = CommandRun.of("diff", before(), planned);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(text(run.err()))
        .isEqualTo(
            "stowage: planned.csv: the plan is not valid: pinned records 0 and 1 overlap at task 1; stowage check lists all violations\n");
  }

  @Test
  void diff_filesOfDifferentKinds_areRefusedWithBothKinds() throws IOException {
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,bytes,stream,t\na,x,700,0,0\n");
    CommandRun run = CommandRun.of("diff", before(), trace);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(text(run.err()))
        .isEqualTo(
            "stowage: t.csv: is a recording of allocations, but before.csv is a model or a problem; expected two recordings, or two models or problems\n");
  }

  @Test
  void diff_optionOfAnotherKind_isRefused() throws IOException {
    CommandRun run = CommandRun.of("diff", before(), after(), "--by", "line");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(text(run.err()))
        .startsWith("stowage: --by is for recordings, but the files have plans; omit it\n");
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,bytes,stream,t\na,x,700,0,0\n");
    assertThat(text(CommandRun.of("diff", trace, trace, "--dim", "batch=1").err()))
        .startsWith(
            "stowage: --dim is for models and problems, but the files are recordings; omit it\n");
  }

  @Test
  void diff_inputsWithoutOneArena_areRefused() throws IOException {
    Path textures =
        Files.writeString(
            folder.resolve("t.json"),
            "{\"records\": [{\"size\": [4, 4], \"first_task\": 0, \"last_task\": 1}]}");
    Path shapes =
        Files.writeString(
            folder.resolve("s.json"),
            "{\"dimensions\": {\"batch\": [1, 8]}, \"records\": [{\"size\": \"2*batch\", \"first_task\": 0, \"last_task\": 1}]}");
    CommandRun run = CommandRun.of("diff", textures, shapes);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(text(run.err()))
        .isEqualTo(
            """
            stowage: t.json: has textures, which have no offsets; expected tensors with sizes in bytes
            stowage: note: s.json: sizes are the largest ones at all 8 shapes of batch=1..8
            """);
    assertThat(CommandRun.of("diff", shapes, shapes, "--dim", "batch=4").exitCode())
        .isEqualTo(ExitCode.DONE);
  }

  @Test
  void diff_toAPage_hasTheFilesAsTitleAndBothMapsWithOneScale() throws IOException {
    Path page = folder.resolve("d.html");
    CommandRun run = CommandRun.of("diff", before(), after(), "--output", page);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    String html = Files.readString(page);
    assertThat(html)
        .contains("<h1>before.csv and after.csv</h1>")
        .contains("<title>before.csv and after.csv</title>")
        .contains("<img class=\"drawing\" alt=\"A: before.csv\" src=\"data:image/svg+xml;base64,")
        .contains("<img class=\"drawing\" alt=\"B: after.csv\"");
    CommandRun.of("diff", before(), after(), "--output", page);
    assertThat(Files.readString(page)).isEqualTo(html);
    CommandRun.of("diff", before(), before(), "--output", page);
    assertThat(Files.readString(page))
        .contains("No difference: both have tensors of the same sizes");
  }
}
