package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An arena has a capacity, a device or a service a limit; commands take either name. */
class LimitNamesTest {

  @TempDir private Path folder;

  @Test
  void plan_withALimit_takesItForTheCapacity() throws IOException {
    Path problem =
        Files.writeString(folder.resolve("p.csv"), "id,lower,upper,size\n0,0,2,100\n1,1,3,100\n");
    CommandRun run = CommandRun.of("plan", problem, "--limit", "0.15KB");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run).isEqualTo(CommandRun.of("plan", problem, "--capacity", "0.15KB"));
  }

  @Test
  void replay_withACapacity_takesItForTheLimit() throws IOException {
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,bytes,stream,t\na,1,4096,0,0\n");
    CommandRun run = CommandRun.of("replay", trace, "--capacity", "1024");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run).isEqualTo(CommandRun.of("replay", trace, "--limit", "1024"));
    assertThat(run.out()).contains("--limit 1024");
  }

  @Test
  void help_ofACommand_showsBothNames() {
    assertThat(CommandRun.of("check", "--help").out()).contains("--limit, --capacity=BYTES");
  }
}
