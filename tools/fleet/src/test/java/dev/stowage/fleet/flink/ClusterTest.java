package dev.stowage.fleet.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.fleet.worker.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps on a cluster of four processes: a job manager and three task managers. */
@Tag("full")
class ClusterTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root"));
  private static final Path JAR = ROOT.resolve("tools/fleet/target/stowage-fleet.jar");

  @TempDir static Path processFolder;
  private static ClusterProcesses cluster;

  /** One of three, which a test kills. */
  private static Process taskManager;

  @TempDir Path folder;

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
  void run_taskManagerKilledInTheMiddle_equalsTheEmbeddedRun() throws Exception {
    Problems problems = Problems.write(folder, 48, 4711);
    WorkerSettings settings = WorkerSettings.defaults();
    SweepOutcome embedded =
        new FlinkSweep(new SweepPlace.Default(OptionalInt.of(2)))
            .run(
                problems.job(
                    "embedded",
                    new RunnerWorkers(
                        settings.withModules(ROOT.resolve("tools/cli/target/modules").toString()))),
                progress -> {});
    assertThat(embedded)
        .isEqualTo(new SweepOutcome(48, new SweepProgress(48, 0, 0), false, Optional.empty()));

    KillOne kill = new KillOne(taskManager);
    SweepOutcome clustered =
        run(OptionalInt.empty(), problems.job("clustered", new RunnerWorkers(settings)), kill);

    assertThat(kill.resultCount).isBetween(1L, 47L);
    assertThat(clustered).isEqualTo(embedded);
    assertThat(problems.lines("clustered")).isEqualTo(problems.lines("embedded"));
    assertThat(folder.resolve("clustered")).isDirectoryContaining("glob:**/results.jsonl");
    try (var files = Files.list(folder.resolve("clustered"))) {
      assertThat(files).hasSize(1);
    }
  }

  /** Kills a process when the first results are there. */
  private static final class KillOne implements Consumer<SweepProgress> {

    private final Process process;
    private long resultCount;

    KillOne(Process process) {
      this.process = process;
    }

    @Override
    public void accept(SweepProgress progress) {
      if (resultCount == 0 && progress.resultCount() > 0) {
        process.destroyForcibly();
        resultCount = progress.resultCount();
      }
    }
  }

  @Test
  void run_inputMissingOnTheTaskManager_isAFailedItemThatNamesTheMachine() throws Exception {
    Problems problems = Problems.write(folder, 3, 1);
    Path missing = folder.resolve("problem-001.csv");
    Files.delete(missing);

    SweepOutcome outcome =
        run(
            OptionalInt.of(1),
            problems.job("results", new RunnerWorkers(WorkerSettings.defaults())),
            progress -> {});

    assertThat(outcome)
        .isEqualTo(new SweepOutcome(3, new SweepProgress(3, 1, 0), false, Optional.empty()));
    assertThat(problems.lines("results").get(1))
        .isEqualTo(
            """
            {"key":"problem-001.csv","input":"%1$s","options":["--node-limit","1000"],"error":"%1$s: there is no file %1$s on the machine %2$s; all task managers need the inputs under the paths that the client uses","exit":3}\
            """
                .formatted(missing, HostName.get()));
  }

  @Test
  void run_withoutJava25OnTheTaskManager_failsWithTheMachineAndTheRemedy() throws Exception {
    Problems problems = Problems.write(folder, 3, 1);
    WorkerSettings settings = WorkerSettings.defaults().withJava(folder.toString());

    SweepOutcome outcome =
        run(
            OptionalInt.of(1),
            problems.job("results", new RunnerWorkers(settings)),
            progress -> {});

    assertThat(outcome.failure())
        .contains(
            "the machine "
                + HostName.get()
                + ": workers need Java 25 or newer, but --worker-java is no folder of a Java ("
                + folder
                + "); install it, and name it with --worker-java PATH or the environment variable"
                + " STOWAGE_JAVA_HOME");
  }

  @Test
  void run_onAPortWithoutJobManager_namesTheAddress() throws Exception {
    Problems problems = Problems.write(folder, 1, 1);
    SweepJob job = problems.job("results", new RunnerWorkers(WorkerSettings.defaults()));

    assertThatThrownBy(() ->
            new FlinkSweep(new SweepPlace.Cluster("localhost", 1, JAR, OptionalInt.empty()))
                .run(job, progress -> {}))
        .isInstanceOf(SweepException.class)
        // The reason is a text of the system, in its language.
        .hasMessageMatching(
            "the cluster localhost:1 does not answer \\(.+\\): expected the address of"
                + " the REST endpoint of a Flink job manager");
  }

  private static SweepOutcome run(
      OptionalInt slotCount, SweepJob job, Consumer<SweepProgress> progress)
      throws IOException, InterruptedException {
    return new FlinkSweep(new SweepPlace.Cluster("localhost", cluster.restPort(), JAR, slotCount))
        .run(job, progress);
  }
}
