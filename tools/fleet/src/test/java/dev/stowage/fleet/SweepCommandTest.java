package dev.stowage.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines that end before their items run. */
final class SweepCommandTest {

  @TempDir private Path folder;

  private record Run(int exitCode, String out, String err) {}

  private static Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Sweep.run(
            new PrintWriter(out), new PrintWriter(err, true), new SweepInterruption(), arguments);
    return new Run(exitCode, out.toString(), err.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sweep x | --run is missing, expected --run plan, budget, replay or tune
          sweep x --run check | --run is 'check', expected plan, budget, replay or tune
          sweep --run plan | Missing required parameter: 'INPUT'
          sweep x --run plan --shard 3/2 | --shard is '3/2', expected the number of a part and of all parts, such as 1/4
          sweep x --run plan --workers 0 | Invalid value for option '--workers': '0' is not a number from 1 to 10000
          sweep x --run plan --worker-heap 5x | Invalid value for option '--worker-heap': '5x' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB
          sweep x --run plan --cluster localhost:8081 | --cluster needs --results, a folder that all machines of the cluster have
          sweep x --run plan --results pom.xml | --results is 'pom.xml', expected a folder
          sweep x --run plan --results s3://b/o | --results is 's3://b/o', expected the path of a folder, for example of a mounted file system
          sweep x --run plan --cache s3://b/o | --cache is 's3://b/o', expected the path of a folder, for example of a mounted file system
          sweep x --run plan -- --output a.html | --output is for a single file, but a sweep has many; --results writes all results
          sweep x --run plan -- --format=csv | --format is an option of the sweep; write it before --
          sweep x --merge --run plan | --merge reads results, but --run is for a sweep; omit it
          x --run plan -- --help | --help is no option of an item; run the command itself with it
          """)
  void run_wrongCommandLine_exits2(String commandLine, String message) {
    Run run = run(commandLine.split(" "));

    assertThat(run.err()).isEqualTo("stowage: " + message + "\nTry 'stowage sweep --help'.\n");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void run_help_namesTheInputsAndTheOptions() {
    Run run = run("sweep", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith(
            "Usage: stowage sweep [OPTIONS] INPUT... --run COMMAND [-- OPTIONS OF THE COMMAND]\n")
        .contains("--cluster=HOST:PORT", "--merge", "@-", "--help-all");
    assertThat(run.out().lines()).hasSizeLessThanOrEqualTo(40);
    assertThat(run("sweep", "--help-all").out())
        .contains("--item-time-limit=SECONDS", "--debug", "Exit codes:");
    assertThat(run.out().lines().mapToInt(String::length).max().orElse(0)).isLessThanOrEqualTo(100);
  }

  @Test
  void run_mergeOfNoResults_exits3() throws IOException {
    Run run = run("sweep", "--merge", folder.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + folder
                + ": is no folder of --results of a sweep: it has no results.jsonl\n");
  }

  @Test
  void run_mergeOfShards_reportsMissingAndDoubleOnes() throws IOException {
    String first = shard("a", 1, "plan");
    String again = shard("b", 1, "plan");

    Run merged = run("sweep", "--merge", first, again);

    assertThat(merged.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(merged.err())
        .isEqualTo(
            "stowage: shard 1/2 is there twice: "
                + first
                + " and "
                + again
                + "\nstowage: shard 2/2 is missing\n");
    assertThat(merged.out()).endsWith("1 item done, 0 failed; 1.0 s of plan\n");
    assertThat(run("sweep", "--merge", first, shard("c", 2, "tune")).err())
        .isEqualTo(
            "stowage: "
                + folder.resolve("c")
                + " and "
                + first
                + " are different sweeps, of --run tune and --run plan\n");
    Run all = run("sweep", "--merge", first, shard("d", 2, "plan"), "--format", "json");
    assertThat(all.exitCode()).isZero();
    assertThat(all.err()).isEmpty();
    assertThat(all.out().lines()).hasSize(2);
  }

  private String shard(String name, int index, String command) throws IOException {
    Path shard = Files.createDirectory(folder.resolve(name));
    Files.writeString(
        shard.resolve("sweep.json"),
        "{\"command\":\"%s\",\"options\":[],\"version\":\"1\",\"shard\":\"%s/2\",\"items\":1,\"complete\":true}"
            .formatted(command, index));
    Files.writeString(
        shard.resolve("results.jsonl"),
        "{\"key\":\"item %s\",\"input\":\"x\",\"options\":[],\"seconds\":1.0,\"exit\":0,\"result\":{}}\n"
            .formatted(index));
    return shard.toString();
  }
}
