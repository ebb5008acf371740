package dev.stowage.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Runs each race for a moment in one JVM. CONTRIBUTING.md has the command for all JVMs. */
class RacesTest {

  private static final int RACES = 30;

  /** The numbers of planned and passed, failed, not started, and broken races. */
  private static final Pattern TALLY =
      Pattern.compile(
          "Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs");

  /** The working directory, to which jcstress writes its results. */
  private static final Path FOLDER = Path.of("target", "jcstress");

  private static final List<String> A_MOMENT =
      List.of("-f", "1", "-fsm", "1", "-iters", "1", "-time", "50");

  private static final List<String> ONE_KIND_OF_JVM =
      List.of(
          "-sc",
          "false",
          "-af",
          "NONE",
          "-pth",
          "false",
          "-jvmArgs",
          "-XX:+UseSerialGC --enable-native-access=ALL-UNNAMED");

  @Test
  void everyRace_aMoment_hasNoForbiddenOutcome() throws Exception {
    assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1,
        "races need two processors, and this machine has one");
    Files.createDirectories(FOLDER);
    Path log = FOLDER.resolve("log.txt");
    Process process =
        new ProcessBuilder(command())
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    // jcstress does not detect a race that hangs before its first iteration.
    boolean ended = process.waitFor(5, TimeUnit.MINUTES);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    String output = Files.readString(log);
    String results = output.substring(Math.max(0, output.indexOf("RUN RESULTS")));
    assertThat(ended).as("ended: " + results).isTrue();
    assertThat(process.exitValue()).as(results).isZero();
    // The exit status does not include JVMs that cannot start.
    assertThat(lastTally(output)).as(results).containsExactly(RACES, RACES, 0, 0, 0);
  }

  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("org.openjdk.jcstress.Main", "-r", "report"));
    command.addAll(A_MOMENT);
    command.addAll(ONE_KIND_OF_JVM);
    return command;
  }

  private static List<Integer> lastTally(String output) {
    List<Integer> numbers = new ArrayList<>();
    List<MatchResult> tallies = TALLY.matcher(output).results().toList();
    if (!tallies.isEmpty()) {
      for (int group = 1; group <= 5; group++) {
        numbers.add(Integer.valueOf(tallies.getLast().group(group)));
      }
    }
    return numbers;
  }
}
