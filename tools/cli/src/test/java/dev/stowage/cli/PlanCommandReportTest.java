package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage plan --report}. */
class PlanCommandReportTest {

  private static final String GOOD =
      "{\"records\": [{\"name\": \"a\", \"size\": 1000, \"first_task\": 0, \"last_task\": 1}]}";

  @TempDir private Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static CommandRun plan(Object... arguments) {
    List<Object> all =
        new ArrayList<>(List.of("plan", "--kind", "offsets", "--strategy", "GREEDY_BY_SIZE"));
    all.addAll(List.of(arguments));
    return CommandRun.of(all.toArray());
  }

  /** {@return a report without times} */
  private static String timeless(String xml) {
    return xml.replaceAll("timestamp=\"[-0-9]{10}T[:0-9]{8}\"", "timestamp=\"T\"")
        .replaceAll("time=\"[0-9]+\\.[0-9]{3}\"", "time=\"0\"");
  }

  @Test
  void report_ofAllOutcomes_hasAllElementsOfTheSchemas() throws IOException {
    Path good = file("good.json", GOOD);
    Path large = file("large <&>.json", GOOD.replace("1000", "2000"));
    Path bad = file("bad.json", "{");
    Path xml = folder.resolve("report.xml");

    CommandRun run = plan(good, large, bad, "--capacity", 1500, "--report", "junit=" + xml);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isNotEmpty();
    assertThat(run.err()).endsWith("stowage: wrote " + xml + "\n");
    String tooLarge =
        folder
            + "/large &lt;&amp;&gt;.json: no plan within 1.465 KiB (1,500 bytes): the best plan, by GREEDY_BY_SIZE, needs 1.953 KiB (2,000 bytes), 500 B too many; proved: no plan can be smaller";
    String notJson =
        run.err()
            .lines()
            .filter(line -> line.contains("bad.json"))
            .findFirst()
            .orElseThrow()
            .substring(9);
    assertThat(timeless(Files.readString(xml)))
        .isEqualTo(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="stowage plan" package="stowage" id="0" timestamp="T" hostname="localhost" tests="3" failures="1" errors="1" skipped="0" time="0">
                <properties/>
                <testcase name="%1$s/good.json" classname="stowage.plan" time="0"/>
                <testcase name="%1$s/large &lt;&amp;&gt;.json" classname="stowage.plan" time="0">
                  <failure type="exit code 4" message="%2$s">%2$s</failure>
                </testcase>
                <testcase name="%1$s/bad.json" classname="stowage.plan" time="0">
                  <error type="exit code 3" message="%3$s">%3$s</error>
                </testcase>
                <system-out/>
                <system-err/>
              </testsuite>
            </testsuites>
            """
                .formatted(
                    folder, tooLarge, notJson.replace("'", "&#39;").replace("\"", "&quot;")));
  }

  @Test
  void report_toTheStandardOutput_replacesTheTable() throws IOException {
    CommandRun run = plan(file("good.json", GOOD), "--report", "junit");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
        .endsWith("</testsuites>\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void report_baselineCannotBeRead_isAnErrorOfEachInput() throws IOException {
    Path baseline = folder.resolve("memory.json");

    CommandRun run =
        plan(
            file("a.json", GOOD),
            file("b.json", GOOD),
            "--baseline",
            baseline,
            "--report",
            "junit");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out())
        .contains("tests=\"2\" failures=\"0\" errors=\"2\"")
        .contains("there is no such file; --update-baseline writes it</error>");
  }

  @Test
  void report_interrupted_isAnErrorOfEachInput() throws IOException {
    Path xml = folder.resolve("report.xml");

    CommandRun run =
        CommandRun.interrupted("plan", file("a.json", GOOD), "--report", "junit=" + xml);

    assertThat(run.exitCode()).isEqualTo(143);
    assertThat(Files.readString(xml)).contains("tests=\"1\" failures=\"0\" errors=\"1\"");
  }

  @Test
  void report_cannotBeWritten_exits1() throws IOException {
    Path xml = folder.resolve("none/report.xml");

    CommandRun run = plan(file("a.json", GOOD), "--report", "junit=" + xml);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(xml + ": cannot be written: ");
  }

  private static void assertUsage(String message, Object... arguments) {
    CommandRun run = plan(arguments);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }

  @Test
  void wrongOptions_exit2() throws IOException {
    Path good = file("good.json", GOOD);

    assertUsage("--report is 'xunit', expected junit or junit=PATH", good, "--report", "xunit");
    assertUsage("--report is 'junit=', expected junit or junit=PATH", good, "--report", "junit=");
    assertUsage(
        "--report junit and --format both print to the standard output; use --report junit=PATH",
        good,
        "--report",
        "junit",
        "--format",
        "json");
    assertUsage(
        "--report writes '" + good + "', which the command reads or writes, too; use another name",
        good,
        "--report",
        "junit=" + good);
  }
}
