package dev.stowage.fleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.Done;
import dev.stowage.fleet.result.Failed;
import dev.stowage.fleet.result.ItemResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Items in a worker with the modules of Stowage. */
@Timeout(240)
final class WorkerTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root"));

  private static final WorkerSettings SETTINGS =
      WorkerSettings.defaults()
          .withModules(ROOT.resolve("tools/cli/target/modules").toString())
          .withFolder(ROOT.toString());

  private static ItemRunner runner;

  @TempDir private Path folder;

  @BeforeAll
  static void openRunner() throws Exception {
    runner = ItemRunner.open(SETTINGS);
  }

  @AfterAll
  static void closeRunner() {
    runner.close();
  }

  private static ItemResult run(String input, String... arguments) throws Exception {
    WorkItem item = new WorkItem(input, input, List.of(arguments), 0);
    return runner.run(item, ROOT.resolve(input));
  }

  @Test
  void run_model_hasTheOutputOfTheCommand() throws Exception {
    Done done = (Done) run("examples/mobilenet_v1.tflite", "plan", "--node-limit", "1000");

    assertThat(done.exitCode()).isZero();
    assertThat(done.isCut()).isFalse();
    assertThat(done.output().json())
        .startsWith("{\"input\":\"examples/mobilenet_v1.tflite\",\"format\":\"tflite\"")
        .contains("\"total_bytes\":4816896");
  }

  @Test
  void run_noPlanFits_isAResultWithItsMessage() throws Exception {
    Done done =
        (Done)
            run("examples/mobilenet_v1.tflite", "plan", "--capacity", "1KiB", "--node-limit", "9");

    assertThat(done.exitCode()).isEqualTo(4);
    assertThat(done.output().messages())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("examples/mobilenet_v1.tflite: no plan within 1.000 KiB (1,024 bytes): ");
  }

  @Test
  void run_badInput_hasTheMessageOfTheCommand() throws Exception {
    Failed failed = (Failed) run("examples/tiny_cnn.onnx", "plan");

    assertThat(failed.exitCode()).isEqualTo(3);
    assertThat(failed.error())
        .isEqualTo(
            "examples/tiny_cnn.onnx: the sizes of 18 tensors depend on open dimensions: batch; set"
                + " them, for example with --dim batch=1");
    assertThat(((Failed) run("no such.tflite", "plan")).error())
        .isEqualTo("no such.tflite: does not exist");
  }

  @Test
  void run_copyOfAnInput_isReportedWithTheInput() throws Exception {
    Path copy = Files.copy(ROOT.resolve("examples/puzzle.csv"), folder.resolve("copy.csv"));
    WorkItem item = new WorkItem("k", "s3://b/p.csv", List.of("plan", "--strategy", "NAIVE"), 0);

    assertThat(((Done) runner.run(item, copy)).output().json())
        .startsWith("{\"input\":\"s3://b/p.csv\"");
    Path bad = Files.writeString(folder.resolve("bad.csv"), "x\n");
    assertThat(((Failed) runner.run(item, bad)).error()).startsWith("s3://b/p.csv: line 1: ");
  }

  @Test
  void run_searchThatTimeCuts_isMarked() throws Exception {
    Done done =
        (Done)
            run(
                "examples/puzzle.csv",
                "plan",
                "--strategy",
                "OPTIMAL",
                "--time-limit",
                "0.000000001");

    assertThat(done.isCut()).isTrue();
    assertThat(done.toJsonLine()).contains("\"cut\":true");
  }

  @Test
  void run_afterTheWorkerIsKilled_hasTheSameResult() throws Exception {
    String before =
        ((Done) run("examples/posenet.tflite", "plan", "--node-limit", "9")).output().json();
    List<ProcessHandle> workers = new ArrayList<>();
    ProcessHandle.current().children().forEach(workers::add);
    assertThat(workers).isNotEmpty();
    for (ProcessHandle worker : workers) {
      worker.destroyForcibly();
      worker.onExit().get(1, TimeUnit.MINUTES);
    }

    String after =
        ((Done) run("examples/posenet.tflite", "plan", "--node-limit", "9")).output().json();
    assertThat(after.replaceAll("\"seconds\":[^,}]*", ""))
        .isEqualTo(before.replaceAll("\"seconds\":[^,}]*", ""));
  }
}
