package dev.stowage.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps as processes, without a cluster and on one of a job manager and three task managers. */
@Tag("full")
final class ClusterTest {

  private static final Path LIB =
      Path.of(System.getProperty("stowage.root"), "tools/fleet/target/lib");

  @TempDir static Path processFolder;
  private static ClusterProcesses cluster;

  /** One of three, which a test kills. */
  private static Process taskManager;

  @TempDir private Path folder;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = ClusterProcesses.start(processFolder);
    taskManager = cluster.addTaskManager();
    cluster.addTaskManager();
    cluster.addTaskManager();
    cluster.awaitSlots();
  }

  @AfterAll
  static void endCluster() {
    cluster.close();
  }

  @Test
  void run_taskManagerKilledInTheMiddle_equalsTheSweepWithoutCluster() throws Exception {
    Program.problems(folder.resolve("problems"), 40, 4711);

    Process local = start("local", "");
    assertThat(local.waitFor()).as(text("local")).isEqualTo(1);

    Process clustered = start("clustered", "--cluster localhost:" + cluster.restPort());
    awaitResults(clustered, "clustered");
    taskManager.destroyForcibly();
    assertThat(clustered.waitFor()).as(text("clustered")).isEqualTo(1);

    assertThat(text("clustered"))
        .startsWith("39 of 40 files done, 1 failed.\n\nFAILED\n  ")
        .contains("/problem-005.csv: signal 9 ended the process\n")
        .isEqualTo(text("local").replace("/local/", "/clustered/"));
    assertThat(Program.results(folder.resolve("clustered")))
        .hasSize(40)
        .isEqualTo(Program.results(folder.resolve("local")));
  }

  @Test
  void run_signal_keepsTheResultsSoFar() throws Exception {
    Program.problems(folder.resolve("problems"), 40, 1);
    Process sweep = start("interrupted", "");
    awaitResults(sweep, "interrupted");

    sweep.destroy();

    assertThat(sweep.waitFor()).isEqualTo(143);
    assertThat(text("interrupted"))
        .matches("(?s)\\d+ of 40 files done, .*\nstowage: interrupted\nstowage: wrote .*\n");
    assertThat(Program.results(folder.resolve("interrupted"))).hasSizeBetween(1, 39);
  }

  /** Starts a sweep whose problems take half a second each. */
  private Process start(String results, String options) throws IOException {
    Path program = Program.write(folder, "sleep 0.5; " + Program.killedBy("problem-005.csv"));
    List<String> command = new ArrayList<>(List.of(ClusterProcesses.currentJava().toString()));
    for (String open : List.of("java.util", "java.lang", "java.util.concurrent")) {
      command.add("--add-opens=java.base/" + open + "=ALL-UNNAMED");
    }
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-Dstowage.program=" + program,
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            LIB + "/*",
            "dev.stowage.fleet.Sweep",
            "problems",
            "--run",
            "plan",
            "--results",
            folder.resolve(results).toString()));
    Stream.of(options.split(" ")).filter(word -> !word.isEmpty()).forEach(command::add);
    command.addAll(List.of("--", "--strategy", "GREEDY_BY_SIZE"));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(results + ".txt").toFile())
        .start();
  }

  private String text(String results) throws IOException {
    return Files.readString(folder.resolve(results + ".txt"));
  }

  /** Waits for the first file of results. */
  private void awaitResults(Process sweep, String results) throws Exception {
    while (Program.finished(folder.resolve(results)) == 0) {
      // A pause that ends early if the process ends.
      if (sweep.waitFor(100, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the sweep ended early: " + text(results));
      }
    }
  }
}
