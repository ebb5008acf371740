package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of ./stowage in a checkout with a build and a JDK that only print their calls. */
@Timeout(120)
final class StartScriptTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root"));

  /** Times before and after all files of a test. */
  private static final FileTime LATER = FileTime.from(Instant.parse("2101-01-01T00:00:00Z"));

  @TempDir private Path folder;
  private Path root;
  private Path target;

  @BeforeEach
  void makeCheckout() throws IOException {
    root = Files.createDirectory(folder.resolve("a check out"));
    target = root.resolve("tools/cli/target/stowage");
    Files.createDirectories(root.resolve(".mvn"));
    Files.createDirectories(root.resolve("tools/cli/src/main"));
    Files.copy(ROOT.resolve("stowage"), root.resolve("stowage"));
    Files.writeString(root.resolve(".mvn/environment.sh"), environmentWithin(folder));
    Files.writeString(root.resolve("pom.xml"), "");
    makeScript(
        root.resolve("mvnw"),
        """
        echo built >>"${0%/*}/log"
        mkdir -p "${0%/*}/tools/cli/target/modules"
        : >"${0%/*}/tools/cli/target/modules/stowage-cli.jar"
        """);
    makeJdk(folder.resolve("opt/jdk25"), "25.0.1");
  }

  /** {@return the script for the environment, which searches for JDKs in another root folder} */
  private static String environmentWithin(Path folder) throws IOException {
    return Files.readString(ROOT.resolve(".mvn/environment.sh"))
        .replaceAll(" (/(usr|opt|Library)/)", " \"" + folder + "\"$1");
  }

  private static void makeScript(Path path, String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, "#!/bin/sh\n" + text);
    assertThat(path.toFile().setExecutable(true)).isTrue();
  }

  /** A JDK whose java prints its version, a part of its environment and the arguments. */
  private static void makeJdk(Path home, String version) throws IOException {
    makeScript(
        home.resolve("bin/java"),
        """
        while [ "$1" != -m ]; do shift; done
        shift 2
        echo "%s ${LC_ALL-} ${LANGUAGE-} ${ORT_DISABLE_TELEMETRY-}:" "$@"
        """
            .formatted(version));
    makeScript(home.resolve("bin/javac"), "");
    makeScript(home.resolve("bin/jar"), "");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
  }

  private ProcessBuilder builder(Path directory, Map<String, String> environment, String... command)
      throws IOException {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    for (String tool :
        List.of(
            "sh",
            "sed",
            "find",
            "head",
            "readlink",
            "mkdir",
            "ln",
            "rm",
            "mv",
            "touch",
            "sleep",
            "uname",
            "cat")) {
      for (String bin : List.of("/bin", "/usr/bin")) {
        if (Files.exists(Path.of(bin, tool))) {
          makeScript(tools.resolve(tool), "exec %s/%s \"$@\"\n".formatted(bin, tool));
        }
      }
    }
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().putAll(environment);
    return builder;
  }

  private CommandRun run(Path directory, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    int exitCode =
        builder(directory, environment, command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start()
            .waitFor();
    return new CommandRun(exitCode, Files.readString(out), Files.readString(err));
  }

  private CommandRun run(Map<String, String> environment) throws Exception {
    return run(root, environment, "./stowage", "plan", "a b");
  }

  private static CommandRun ran(String err) {
    return new CommandRun(0, "25.0.1 C.UTF-8  1: plan a b\n", err);
  }

  private static final String BUILDING =
      "stowage: building, about half a minute; the first time, Maven also downloads 140 MB of libraries\n";

  @Test
  void stowage_firstRun_buildsAndALaterOneOnlyAfterAChange() throws Exception {
    Path source = Files.writeString(root.resolve("tools/cli/src/main/A.java"), "");

    assertThat(run(Map.of())).isEqualTo(ran(BUILDING));
    assertThat(run(Map.of())).isEqualTo(ran(""));
    Files.setLastModifiedTime(source, LATER);
    assertThat(run(Map.of())).isEqualTo(ran(BUILDING));
    assertThat(target.toFile().list()).containsExactly("stamp");
  }

  @Test
  void stowage_throughLinksAndOddFolders_findsItsCheckout() throws Exception {
    Path elsewhere = Files.createDirectories(folder.resolve("else where/-deep"));
    Files.createSymbolicLink(folder.resolve("else where/link"), Path.of("../a check out/stowage"));
    Files.createSymbolicLink(elsewhere.resolve("link2"), Path.of("../link"));

    run(Map.of());
    assertThat(run(elsewhere, Map.of(), "../link", "x").out()).endsWith(": x\n");
    assertThat(run(elsewhere, Map.of(), "./link2", "x").out()).endsWith(": x\n");
    assertThat(run(elsewhere, Map.of(), "sh", "link2", "x").out()).endsWith(": x\n");
    assertThat(run(root, Map.of(), "sh", "stowage", "x").out()).endsWith(": x\n");
    assertThat(run(folder, Map.of("CDPATH", "/"), "sh", "a check out/stowage", "x"))
        .isEqualTo(new CommandRun(0, "25.0.1 C.UTF-8  1: x\n", ""));
  }

  @Test
  void stowage_twoFirstRunsAtOnce_buildOnce() throws Exception {
    Path begun = folder.resolve("begun");
    Path goOn = folder.resolve("go on");
    assertThat(new ProcessBuilder("mkfifo", begun.toString(), goOn.toString()).start().waitFor())
        .isZero();
    makeScript(
        root.resolve("mvnw"),
        "echo built >>\"${0%%/*}/log\"\necho >'%s'\nread -r line <'%s'\n".formatted(begun, goOn));

    Process first = builder(root, Map.of(), "./stowage", "first").start();
    Files.readString(begun);
    Process second = builder(root, Map.of(), "./stowage", "second").start();
    try (BufferedReader err = second.errorReader(StandardCharsets.UTF_8)) {
      assertThat(err.readLine())
          .isEqualTo(
              "stowage: waiting for another build, which has the lock %s/lock".formatted(target));
      Files.writeString(goOn, "\n", StandardOpenOption.WRITE);
      assertThat(first.waitFor()).isZero();
      assertThat(second.waitFor()).isZero();
    }

    assertThat(second.inputReader(StandardCharsets.UTF_8).readLine()).endsWith(": second");
    assertThat(root.resolve("log")).hasContent("built\n");
    assertThat(target.toFile().list()).containsExactly("stamp");
  }

  @Test
  void stowage_lockOfAProcessThatIsGone_isTakenAway() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Files.createDirectories(target);
    Files.createSymbolicLink(target.resolve("lock"), Path.of(Long.toString(gone.pid())));

    assertThat(run(Map.of())).isEqualTo(ran(BUILDING));
    assertThat(target.toFile().list()).containsExactly("stamp");
  }

  @Test
  void stowage_closedStandardInput_isEmpty() throws Exception {
    makeScript(folder.resolve("opt/jdk25/bin/java"), "cat && echo 'the end'\n");

    assertThat(run(root, Map.of(), "sh", "-c", "./stowage plan - <&-"))
        .isEqualTo(new CommandRun(0, "the end\n", BUILDING));
    assertThat(run(root, Map.of(), "sh", "-c", "echo in | ./stowage plan -"))
        .isEqualTo(new CommandRun(0, "in\nthe end\n", ""));
  }

  @Test
  void stowage_failingBuild_exits1AndIsTriedAgain() throws Exception {
    String mvnw = Files.readString(root.resolve("mvnw"));
    makeScript(root.resolve("mvnw"), "echo 'no network'\nexit 7\n");

    CommandRun failed =
        new CommandRun(
            1, "", BUILDING + "no network\nstowage: the build failed; its messages are above\n");
    assertThat(run(Map.of())).isEqualTo(failed);
    assertThat(run(Map.of())).isEqualTo(failed);
    Files.writeString(root.resolve("mvnw"), mvnw);
    assertThat(run(Map.of())).isEqualTo(ran(BUILDING));
  }

  @Test
  void stowage_nowhereToBuild_exits1() throws Exception {
    Files.createDirectories(target.getParent());
    Files.writeString(target, "");

    assertThat(run(Map.of()))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "stowage: the folder %s cannot be written to, expected a writable checkout\n"
                    .formatted(target)));
  }

  @Test
  void stowage_anyLocale_readsNamesInUtf8AndEnglishTexts() throws Exception {
    for (String locale : List.of("C", "de_DE.UTF-8", "en_US.UTF-8", "tr_TR.ISO-8859-9")) {
      Map<String, String> environment =
          Map.of("LANG", locale, "LC_ALL", locale, "LANGUAGE", "de", "ORT_DISABLE_TELEMETRY", "0");

      assertThat(run(environment).out()).as(locale).startsWith("25.0.1 C.UTF-8  1: ");
    }
  }

  @Test
  void stowage_missingProgram_exits1WithTheRemedy() throws Exception {
    builder(root, Map.of(), "true");
    Files.delete(folder.resolve("tools/find"));
    String path = folder.resolve("other tools").toString();
    Files.move(folder.resolve("tools"), Path.of(path));

    assertThat(run(Map.of("PATH", path)))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "Stowage needs the program 'find', which is not on the PATH: install coreutils, sed and findutils.\n"));
  }

  @Test
  void stowage_littleVirtualMemory_exits1WithTheRemedy() throws Exception {
    assertThat(run(root, Map.of(), "sh", "-c", "ulimit -v 4000000 && ./stowage plan x"))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "Stowage: the limit of virtual memory is 4000000 KiB, expected at least 6291456: run ulimit -v 6291456\n"));
  }

  @Test
  void mvnw_noHome_exits1WithTheRemedy() throws Exception {
    Files.copy(ROOT.resolve("mvnw"), root.resolve("mvnw"), StandardCopyOption.REPLACE_EXISTING);

    assertThat(run(root, Map.of(), "./mvnw", "verify"))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "mvnw: the environment variable HOME is not set: set it to your home folder.\n"));
  }

  @Test
  void findJdk_javaHomeOldOrNonsense_findsAnother() throws Exception {
    Path old = folder.resolve("jdk8");
    makeJdk(old, "1.8.0_392");

    for (String home : List.of("/nonsense", old.toString(), "", "/dev/null")) {
      assertThat(run(Map.of("JAVA_HOME", home, "HOME", "/no home")).out())
          .as(home)
          .startsWith("25.0.1 ");
    }
  }

  @Test
  void findJdk_several_prefersTheReleaseWantedThenANewerOne() throws Exception {
    Path newer = folder.resolve("usr/lib/jvm/a new one");
    Path onPath = folder.resolve("path jdk");
    makeJdk(newer, "26-ea");
    makeJdk(onPath, "25.0.7");
    List<String> versions = new ArrayList<>();

    versions.add(run(Map.of("JAVA_HOME", newer.toString())).out());
    builder(root, Map.of(), "true");
    Files.createSymbolicLink(folder.resolve("tools/java"), Path.of("../path jdk/bin/java"));
    versions.add(run(Map.of()).out());
    Files.delete(folder.resolve("tools/java"));
    Files.delete(folder.resolve("opt/jdk25/release"));
    versions.add(run(Map.of()).out());

    assertThat(versions)
        .map(text -> text.substring(0, text.indexOf(' ')))
        .containsExactly("25.0.1", "25.0.7", "26-ea");
  }

  @Test
  void findJdk_none_exits1WithTheRemedy() throws Exception {
    Files.delete(folder.resolve("opt/jdk25/bin/javac"));

    assertThat(run(Map.of()))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "Stowage needs a JDK 25 or newer and found none: install one (https://adoptium.net) or set JAVA_HOME to its folder.\n"));
  }
}
