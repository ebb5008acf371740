package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSummaryTest {

  private static final Instant START = Instant.parse("2026-01-01T10:00:00Z");

  private static final String RAN = "<testcase name='a' classname='A' time='0.1'/>";

  @TempDir private Path root;

  private void report(String module, String name, Instant written, String... tests)
      throws IOException {
    Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
    Path file =
        Files.writeString(
            folder.resolve(name),
            "<?xml version='1.0'?><testsuite>" + String.join("", tests) + "</testsuite>");
    Files.setLastModifiedTime(file, FileTime.from(written));
  }

  private static String condition(String message) {
    return "<testcase name='b' classname='B'><skipped message='" + message + "'/></testcase>";
  }

  private static String assumption(String message) {
    return """
    <testcase name="c" classname="C">
      <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: %s
    \tat org.junit.jupiter.api.Assumptions.assumeTrue(Assumptions.java)
    ]]></skipped>
    </testcase>
    """
        .formatted(message);
  }

  private String line() throws Exception {
    return TestSummary.of(root, START).line();
  }

  @Test
  void line_messagesOfConditionsAndAssumptions_countsEachReason() throws Exception {
    report("cli", "TEST-A.xml", START, RAN, assumption("needs a browser (chromium)"), RAN);
    report(
        "examples/one",
        "TEST-B.xml",
        START.plusSeconds(9),
        condition("needs OpenCL (pocl): there is no library"),
        assumption("needs OpenCL (pocl): there is no device"),
        condition("no reason"));
    assertThat(line())
        .isEqualTo(
            "Tests: 2 run, 4 skipped: 2 need OpenCL (pocl), 1 needs a browser (chromium), 1 because of \"no reason\"");
  }

  @Test
  void line_reportsOfEarlierBuildsAndOtherFiles_areNotCounted() throws Exception {
    report("cli", "TEST-A.xml", START.minusSeconds(1), RAN, assumption("needs a browser"));
    report("cli", "testng-results.xml", START, RAN);
    report("quality/consumers/target/it", "TEST-A.xml", START, RAN);
    report("plan", "TEST-A.xml", START, RAN);
    assertThat(line()).isEqualTo("Tests: 1 run, none skipped");
  }

  @Test
  void line_noReports_saysThatNoneRan() throws Exception {
    assertThat(line()).isEqualTo("Tests: 0 run, none skipped");
  }
}
