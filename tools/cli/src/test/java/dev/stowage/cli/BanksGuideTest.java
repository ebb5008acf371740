package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.GuideProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The problem, commands, messages and code of docs/banks.md, compared with the program. */
class BanksGuideTest {

  private static final Path GUIDE = Path.of("docs/banks.md");
  private static final Path EXAMPLE = Path.of("examples/banks.csv");
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ \\./stowage ([^\n]*)\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void problem_ofTheGuide_isThatOfTheExamples() throws IOException {
    assertThat(Files.readString(GUIDE)).contains("```csv\n" + Files.readString(EXAMPLE) + "```");
  }

  @Test
  void commands_ofTheGuide_printTheOutputShown() throws IOException {
    String guide = Files.readString(GUIDE);
    String printed =
        COMMAND
            .matcher(guide)
            .replaceAll(command ->
                Matcher.quoteReplacement(
                    "```console\n$ ./stowage " + command.group(1) + "\n" + run(command) + "```"));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GUIDE, printed);
    }
    assertThat(Files.readString(GUIDE)).isEqualTo(printed);
    assertThat(COMMAND.matcher(guide).results()).hasSize(1);
  }

  private String run(MatchResult command) {
    ShownRun run =
        ShownRun.of(
            Stream.of(command.group(1).split(" ", -1))
                .map(word -> word.equals("plan.csv") ? folder.resolve(word) : word)
                .toArray());
    assertThat(run.exitCode()).as(run.text()).isEqualTo(ExitCode.DONE);
    return run.text().replace(folder + "/", "");
  }

  @Test
  void tiedPool_ofTheGuide_hasTheCostStated() throws IOException {
    String tied = "pool,2,4,640,5,sram";
    Path problem = folder.resolve("tied.csv");
    Files.writeString(problem, Files.readString(EXAMPLE).replace("pool,2,4,640,5,", tied));

    CommandRun run =
        CommandRun.of(
            "plan",
            problem,
            "--bank",
            "name=sram,bytes=1KiB,alignment=16,cost=1",
            "--bank",
            "name=dram,bytes=8KiB,cost=10");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    Matcher stated =
        Pattern.compile("\\(`" + tied + "`\\), the plan\\s+costs ([\\d,]+)\\.")
            .matcher(Files.readString(GUIDE));
    assertThat(stated.find()).isTrue();
    assertThat(run.out()).contains(" costs " + stated.group(1) + ":");
  }

  @Test
  void smallBank_hasNoPlan() {
    CommandRun run =
        CommandRun.of(
            "plan",
            EXAMPLE,
            "--bank",
            "name=sram,bytes=1KiB,alignment=16,cost=1",
            "--bank",
            "name=dram,bytes=512,cost=10");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .isEqualTo(
            "stowage: examples/banks.csv: no plan in banks: record 3 'pool' of 640 bytes fits into no"
                + " bank: sram of 1024 bytes lacks 512, dram of 512 bytes lacks 384; proved: no plan"
                + " fits\n");
  }

  @Test
  void library_asPrinted_compilesAndPrintsTheOutputShown() throws Exception {
    GuideProgram program = GuideProgram.of(GUIDE.toString(), "## As a library");
    String printed = program.run(folder);
    assertThat(program.text()).isEqualTo(printed);
  }
}
