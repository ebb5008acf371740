package dev.stowage.fleet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.fleet.item.ItemId;
import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.Done;
import dev.stowage.fleet.result.Failed;
import dev.stowage.fleet.result.ItemResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are scripts of a shell, which end as each test needs it. */
@Timeout(120)
final class ItemRunnerTest {

  private static final String GREETING = "printf 'STW1\\000\\000\\000\\0011' >&3\n";

  /** Waits for the first bytes of a request. */
  private static final String REQUEST = "head -c 8 >/dev/null\n";

  /** An answer with exit code 0 and the output {}. */
  private static final String ANSWER =
      "printf '\\000\\000\\000\\000\\000\\000\\000\\002{}\\000\\000\\000\\000' >&3\n";

  @TempDir private Path folder;

  private WorkerSettings settings(String script) throws IOException {
    Path home = Files.createDirectories(folder.resolve("jdk"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\n" + script);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return WorkerSettings.defaults()
        .withJava(home.toString())
        .withModules(folder.toString())
        .withFolder(folder.toString());
  }

  private ItemResult run(String script) throws Exception {
    return run(settings(script));
  }

  private ItemResult run(WorkerSettings settings) throws Exception {
    Path model = Files.writeString(folder.resolve("m.tflite"), "model");
    WorkItem item = new WorkItem("key", "m.tflite", List.of("plan", "--io"), 0);
    try (ItemRunner runner = ItemRunner.open(settings)) {
      return runner.run(item, model);
    }
  }

  private static Failed failed(int exitCode, String error, String... details) {
    return new Failed(
        new ItemId("key", "m.tflite", List.of("--io")), exitCode, error, List.of(details), false);
  }

  @Test
  void run_answer_isTheResult() throws Exception {
    ItemResult result = run(GREETING + REQUEST + "echo noise of a library\n" + ANSWER + "cat");

    assertThat(result).isInstanceOf(Done.class);
    assertThat(result.toJsonLine())
        .matches(
            "\\{\"key\":\"key\",\"input\":\"m.tflite\",\"options\":\\[\"--io\"\\],"
                + "\"seconds\":[0-9.E-]+,\"exit\":0,\"result\":\\{\\}\\}");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems have no locale C.UTF-8")
  void run_anyLocale_workerHasFileNamesInUtf8AndNoLanguage() throws Exception {
    String locale = "echo \"$LC_ALL ${LANGUAGE-none}\" >locale\n";

    assertThat(run(GREETING + REQUEST + locale + ANSWER + "cat")).isInstanceOf(Done.class);
    assertThat(folder.resolve("locale")).hasContent("C.UTF-8 none");
  }

  @Test
  void run_workerIsKilledWithTemporaryFiles_leavesNone() throws Exception {
    String files =
        """
        for option; do
          case $option in -Djava.io.tmpdir=*) tmp=${option#*=} ;; esac
        done
        echo "$tmp" >>folders
        mkdir "$tmp/engine" && echo library >"$tmp/engine/lib.so"
        kill -9 $$
        """;

    assertThat(run(GREETING + REQUEST + files)).isInstanceOf(Failed.class);
    assertThat(Files.readAllLines(folder.resolve("folders")))
        .hasSize(2)
        .allSatisfy(path -> assertThat(Path.of(path)).doesNotExist());
  }

  @Test
  void run_workerIsKilledTwice_isReportedWithTheSignal() throws Exception {
    assertThat(run(GREETING + REQUEST + "echo last words >&2\nkill -9 $$\n"))
        .isEqualTo(
            failed(
                -1,
                "its worker ended with signal 9 (SIGKILL), for example because the memory of the"
                    + " machine is exhausted; it ended twice, at last alone",
                "last words"));
  }

  /** The command ends with the report of the JVM on a crash, and then as the caller tells it. */
  private static String crash(String end) {
    return """
    cat <<'END'
    # A fatal error has been detected by the Java Runtime Environment:
    #
    #  SIGSEGV (0xb) at pc=0x00007f3a5c0b1a40, pid=4711, tid=4712
    #
    # Problematic frame:
    # C  [libonnxruntime.so+0x1a40]  0x00007f3a5c0b1a40
    END
    """
        + end;
  }

  @Test
  void run_crashOfANativeLibrary_isReportedWithItsFrame() throws Exception {
    assertThat(run(GREETING + REQUEST + crash("kill -6 $$\n")))
        .isEqualTo(
            failed(
                -1,
                "its worker ended with signal 6 (SIGABRT): SIGSEGV in C  [libonnxruntime.so+0x1a40];"
                    + " it ended twice, at last alone"));
  }

  @Test
  void run_crashWithoutACoreFile_isReportedWithItsFrame() throws Exception {
    // The JVM exits with 1 if it may not write a core file.
    assertThat(run(GREETING + REQUEST + crash("exit 1\n")))
        .isEqualTo(
            failed(
                -1,
                "its worker crashed: SIGSEGV in C  [libonnxruntime.so+0x1a40];"
                    + " it ended twice, at last alone"));
  }

  @Test
  void run_workerEndsOnce_runsAgainAlone() throws Exception {
    String once = "[ -e ended ] || { : >ended; exit 7; }\n";

    assertThat(run(GREETING + REQUEST + once + ANSWER + "cat")).isInstanceOf(Done.class);
    assertThat(folder.resolve("ended")).exists();
  }

  @Test
  void run_heapIsExhausted_runsAgainInAnotherWorker() throws Exception {
    String exhausted =
        "printf '\\000\\000\\000\\001\\000\\000\\000\\000\\000\\000\\000\\032m: out of memory; set more' >&3\n";

    assertThat(run(GREETING + REQUEST + "echo started >>starts\n" + exhausted + "cat"))
        .isEqualTo(
            failed(1, "m: out of memory; set a larger heap, for example --worker-heap 8GiB"));
    assertThat(Files.readAllLines(folder.resolve("starts"))).hasSize(2);
  }

  @Test
  void run_itemTakesTooLong_isReportedOnce() throws Exception {
    String script = GREETING + REQUEST + "echo started >>starts\nexec cat\n";

    assertThat(run(settings(script).withItemTimeLimit(Duration.ofMillis(1_500))))
        .isEqualTo(
            failed(-1, "the item took longer than 1.5 s; --item-time-limit sets another limit"));
    assertThat(folder.resolve("starts")).hasContent("started");
  }

  @Test
  void run_sameContentAndOptions_isTheResultOfTheCache() throws Exception {
    String counted = "echo run >>runs\n";
    WorkerSettings settings =
        settings(GREETING + REQUEST + counted + ANSWER + "cat")
            .withCache(folder.resolve("cache").toString());

    ItemResult first = run(settings);
    ItemResult second = run(settings);

    assertThat(first.isCached()).isFalse();
    assertThat(second.isCached()).isTrue();
    assertThat(second.toJsonLine()).isEqualTo(first.toJsonLine());
    assertThat(folder.resolve("runs")).hasContent("run");
  }

  @Test
  void run_entryOfTheCacheIsDamaged_computesAndReplacesIt() throws Exception {
    WorkerSettings settings =
        settings(GREETING + REQUEST + ANSWER + "cat").withCache(folder.resolve("cache").toString());
    run(settings);
    Path entry;
    try (var files = Files.walk(folder.resolve("cache"))) {
      entry = files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    String text = Files.readString(entry);
    for (String damaged : List.of("", "x", text.substring(1), text.replace("{}", "{\"a\":1}"))) {
      Files.writeString(entry, damaged);

      assertThat(run(settings).isCached()).isFalse();
      assertThat(run(settings).isCached()).isTrue();
    }
  }

  @Test
  void open_javaEndsAtOnce_hasItsLastLines() throws IOException {
    WorkerSettings settings = settings("echo 'Error: no module' >&2; exit 1\n");

    assertThatThrownBy(() -> ItemRunner.open(settings))
        .isInstanceOf(WorkerStartException.class)
        .hasMessage(
            "a worker does not start with "
                + folder
                + "/jdk/bin/java: its worker ended with exit status 1: Error: no module");
  }

  @Test
  void open_noJava25_listsTheCandidates() throws IOException {
    WorkerSettings settings = settings("");
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.2\"\n");

    assertThatThrownBy(() -> ItemRunner.open(settings))
        .isInstanceOf(WorkerStartException.class)
        .hasMessage(
            "workers need Java 25 or newer, but --worker-java is Java 17 ("
                + folder
                + "/jdk); install it, and name it with --worker-java PATH or the environment"
                + " variable STOWAGE_JAVA_HOME");
  }

  @Test
  void open_noModules_namesTheFolder() throws IOException {
    WorkerSettings settings = settings("").withModules(folder.resolve("none").toString());

    assertThatThrownBy(() -> ItemRunner.open(settings))
        .hasMessage(
            "the modules of Stowage are not in the folder " + folder + "/none of this machine");
  }
}
