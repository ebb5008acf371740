package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of docs/formats.md, and the files of examples/formats that it describes. */
class FormatsTest {

  private static final Path GUIDE = Path.of("docs/formats.md");
  private static final Path FILES = Path.of("examples/formats");
  private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMAND =
      Pattern.compile("\\$ (\\S+) ([^\n]*)\n(.*?)(?=\\$ |\\z)", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void commands_ofTheGuide_printTheOutputShown() throws IOException {
    String guide = Files.readString(GUIDE);
    String printed =
        BLOCK
            .matcher(guide)
            .replaceAll(block ->
                Matcher.quoteReplacement("```console\n" + printed(block.group(1)) + "```"));
    if (Boolean.getBoolean("golden.update") && !timeless(guide).equals(timeless(printed))) {
      Files.writeString(GUIDE, printed);
    }
    assertThat(timeless(Files.readString(GUIDE))).isEqualTo(timeless(printed));
    assertThat(BLOCK.matcher(guide).results()).hasSize(2);
  }

  /** {@return the commands of a block, each followed by its output} */
  private String printed(String block) {
    StringBuilder printed = new StringBuilder();
    for (MatchResult command : COMMAND.matcher(block).results().toList()) {
      String output =
          command.group(1).equals("cat")
              ? text(folder.resolve(command.group(2)))
              : stowage(command.group(2));
      printed.append("$ %s %s\n".formatted(command.group(1), command.group(2))).append(output);
    }
    return printed.toString();
  }

  private String stowage(String command) {
    CommandRun run =
        CommandRun.of(
            Stream.of(command.split(" ", -1))
                .map(word -> word.equals("placements.csv") ? folder.resolve(word) : word)
                .toArray());
    assertThat(run.exitCode()).as("%s", run.err()).isEqualTo(ExitCode.DONE);
    return run.out();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * {@return an output without its times and, so that a release leaves the page true, its version}
   */
  private static String timeless(String printed) {
    return printed
        .replaceAll("\"seconds\":[0-9.E-]+", "\"seconds\":0")
        .replaceAll("\"version\":\"[^\"]+\"", "\"version\":\"0\"");
  }

  @Test
  void problem_inTheGuide_isTheFile() {
    assertThat(text(GUIDE)).contains("```csv\n" + text(FILES.resolve("problem.csv")) + "```");
  }

  @Test
  void problem_planned_isWrittenAsAValidPlan() {
    Path plan = folder.resolve("plan.csv");

    CommandRun run = CommandRun.of("plan", FILES.resolve("problem.csv"), "--output", plan);

    assertThat(run.exitCode()).as("%s", run.err()).isEqualTo(ExitCode.DONE);
    assertThat(text(plan))
        .isEqualTo(
            """
            id,lower,upper,size,alignment,gaps,name,offset
            0,0,3,1024,64,,"conv, first",3072
            1,1,6,2048,64,3-5,state,1024
            2,2,5,1024,1,,table,0
            3,4,8,512,1,6-7@0:128,out,3072
            """);
    assertThat(CommandRun.of("check", plan).out())
        .contains(": valid: an arena of 4.000 KiB (4,096 bytes) with 4 tensors over 8 tasks.\n");
  }

  @Test
  void brokenPlan_checked_hasEachKindOfViolation() {
    CommandRun run = CommandRun.of("check", FILES.resolve("broken.csv"), "--capacity", "4000");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out()).contains("3 overlaps, 1 misaligned offset, 1 tensor beyond the capacity");
  }

  @ParameterizedTest
  @CsvSource("rmm.txt, 3, 1, 1, 1400, 4500480")
  void trace_ofAnotherProgram_isReplayed(
      String file, long allocations, long frees, long failures, long requested, long reserved) {
    CommandRun run = CommandRun.of("replay", FILES.resolve(file), "--format", "json");

    assertThat(run.exitCode())
        .as("%s", run.err())
        .isEqualTo(failures > 0 ? ExitCode.NO_PLAN : ExitCode.DONE);
    assertThat(run.out())
        .contains(
            "\"events\":" + (allocations + frees) + ",",
            "\"allocations\":"
                + allocations
                + ",\"frees\":"
                + frees
                + ",\"failures\":"
                + failures
                + ",",
            "\"peak_requested_bytes\":" + requested + ",",
            "\"peak_reserved_bytes\":" + reserved + ",");
  }

  @Test
  void log_ofAnotherAllocator_becomesATraceByTheCommandOfTheGuide() throws Exception {
    Matcher command =
        Pattern.compile("```shell\n(awk .*?) > stalloc.csv\n```", Pattern.DOTALL)
            .matcher(text(GUIDE));
    assertThat(command.find()).isTrue();
    Process awk = new ProcessBuilder("sh", "-c", command.group(1)).start();
    Path trace = Files.write(folder.resolve("stalloc.csv"), awk.getInputStream().readAllBytes());
    assertThat(awk.waitFor()).isZero();

    assertThat(CommandRun.of("replay", trace, "--format", "json").out())
        .contains("\"allocations\":2,\"frees\":1,", "\"peak_requested_bytes\":33554944,");
  }
}
