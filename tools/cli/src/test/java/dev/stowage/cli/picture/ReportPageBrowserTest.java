package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports of several inputs, and pages of figures, against the JSON of the same command. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReportPageBrowserTest {

  private static final String MAP = "document.querySelector('#map canvas') !== null";
  private static final String TABLE = "document.querySelector('table.figures tbody tr') !== null";

  @TempDir Path folder;

  @RegisterExtension final Browser browser = new Browser();

  @BeforeAll
  void prepare() {
    browser.prefer("light");
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path problem(String name, int bytes) throws IOException {
    return file(
        name,
        "id,lower,upper,size,name\n"
            + "a,0,2,%s,<script>alert(1)</script>\nb,1,3,4,\"\"\"\u202eb\"\nc,2,4,6,c\n"
                .formatted(bytes));
  }

  private Path trace(String name, int bytes) throws IOException {
    return file(
        name,
        "op,id,bytes,stream,t\na,x,%s,0,1\na,y,4096,0,2\nf,x,0,0,3\na,z,2048,0,4\nf,y,0,0,5\n"
            .formatted(bytes));
  }

  private static List<JsonNode> lines(CommandRun run) {
    return run.out().lines().map(line -> JsonMapper.shared().readTree(line)).toList();
  }

  /** {@return the exact value of a cell of a table of figures} */
  private String value(int table, int row, int column) {
    return browser.run(
        "const cell = document.querySelectorAll('table.figures')[arguments[0]].tBodies[0]"
            + ".rows[arguments[1]].cells[arguments[2]]; return cell.title || cell.textContent;",
        table,
        row,
        column);
  }

  private static long bytes(String text) {
    String digits = text.replaceFirst(" byte.*", "").replaceAll("[,+]", "");
    return Long.parseLong(digits);
  }

  @Test
  void plan_severalInputs_indexHasTheFiguresOfTheJson() throws IOException {
    Path first = problem("first.csv", 8);
    Path damaged = file("damaged.csv", "id,lower\n1,2\n");
    Path second = problem("<img src=x onerror=alert(1)>&'.csv", 4096);
    Path report = folder.resolve("report.html");

    CommandRun run =
        CommandRun.of("plan", first, damaged, second, "--output", report, "--format", "json");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).endsWith("stowage: wrote " + report + "\n");
    browser.open(report, "", TABLE);
    List<JsonNode> results = lines(run);
    int[] rows = {0, 2};
    for (int i = 0; i < 2; i++) {
      JsonNode result = results.get(i);
      assertThat(result.get("input").stringValue()).contains(value(0, rows[i], 0));
      assertThat(value(0, rows[i], 1)).isEqualTo("" + result.get("records").size());
      long best = Long.MAX_VALUE;
      for (JsonNode plan : result.get("plans")) {
        if (plan.get("kind").stringValue().equals("offsets")) {
          best = Math.min(best, plan.get("total_bytes").longValue());
        }
      }
      assertThat(bytes(value(0, rows[i], 2))).isEqualTo(best);
    }
    assertThat(value(0, 1, 0)).isEqualTo("damaged");
    assertThat(value(0, 1, 5)).contains("line 1: ").doesNotContain(damaged.toString());
    browser.assertNothingWentWrong();
  }

  @Test
  void plan_severalInputs_linkShowsTheInputAndTheAddressKeepsIt() throws IOException {
    Path report = folder.resolve("links.html");
    CommandRun.of("plan", problem("one.csv", 8), problem("two.csv", 4096), "--output", report);
    browser.open(report, "", TABLE);
    assertThat(browser.run("return document.getElementById('input').hidden")).isEqualTo("true");

    browser.clickOn("a[href='#input=2']");

    browser.until(MAP);
    assertThat(browser.text("total")).isEqualTo("4,100 bytes (4.004 KiB)");
    assertThat(browser.run("return document.getElementById('index')")).isEqualTo("null");
    browser.clickOn("#back");
    browser.until("document.getElementById('index') !== null");
    assertThat(browser.run("return document.querySelector('#map')")).isEqualTo("null");
    browser.open(report, "#input=1", MAP);
    assertThat(browser.text("total")).isEqualTo("12 bytes");
    browser.assertNothingWentWrong();
  }

  @Test
  void plan_manyInputs_tableSortsAndFilters() throws IOException {
    List<Object> command = new ArrayList<>(List.of("plan"));
    for (int i = 0; i < 7; i++) {
      command.add(problem("model" + i + ".csv", 8 + 16 * ((3 * i) % 7)));
    }
    Path report = folder.resolve("many.html");
    command.addAll(List.of("--output", report));
    CommandRun.of(command.toArray());
    browser.open(report, "", TABLE);

    browser.run(
        "[...document.querySelectorAll('th button')].find((b) => b.textContent === 'Best arena')"
            + ".click()");

    String totals =
        browser.run(
            "return [...document.querySelectorAll('table.figures tbody tr')]"
                + ".map((row) => row.cells[2].textContent).join(' ')");
    assertThat(totals).isEqualTo("108 B 92 B 76 B 60 B 44 B 28 B 12 B");
    browser.run(
        "const filter = document.querySelector('input[type=search]'); filter.value = 'MODEL3';"
            + " filter.dispatchEvent(new Event('input'))");
    assertThat(
            browser.run(
                "return document.querySelectorAll('table.figures tbody tr:not([hidden])').length"))
        .isEqualTo("1");
  }

  @Test
  void plan_outputWithoutAnyPlan_isNotWritten() throws IOException {
    Path damaged = file("bad.csv", "id\n");
    Path report = folder.resolve("none.html");
    CommandRun run = CommandRun.of("plan", damaged, damaged, "--output", report);
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(report).doesNotExist();
  }

  @Test
  void plan_reportThatCannotBeWritten_exits1AndPlansAll() throws IOException {
    Path report = folder.resolve("missing/report.html");
    CommandRun run =
        CommandRun.of(
            "plan",
            problem("x.csv", 8),
            problem("y.csv", 8),
            "--output",
            report,
            "--format",
            "json");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out().lines()).hasSize(2);
    assertThat(run.err().lines().filter(line -> line.contains("cannot be written"))).hasSize(1);
  }

  @Test
  void replay_twoSettings_indexHasTheFiguresOfTheJson() throws IOException {
    Path trace = trace("t.csv", 1 << 20);
    Path report = folder.resolve("replays.html");
    CommandRun run =
        CommandRun.of(
            "replay",
            trace,
            "--allocator",
            "pytorch",
            "--settings",
            "",
            "--settings",
            "expandable_segments:True",
            "--output",
            report,
            "--format",
            "json");
    assertThat(run.exitCode()).isZero();
    browser.open(report, "", TABLE);
    List<JsonNode> results = lines(run);
    for (int i = 0; i < 2; i++) {
      assertThat(bytes(value(0, i, 4)))
          .isEqualTo(results.get(i).get("peak_requested_bytes").longValue());
      assertThat(bytes(value(0, i, 5)))
          .isEqualTo(results.get(i).get("peak_reserved_bytes").longValue());
    }

    browser.assertNothingWentWrong();
  }

  private int rowCount(int table) {
    return Integer.parseInt(
        browser.run(
            "return String(document.querySelectorAll('table.figures')[arguments[0]].tBodies[0].rows.length)",
            table));
  }

  @Test
  void diff_page_hasTheFiguresOfTheJson() throws IOException {
    Path first = trace("a<b>.csv", 1 << 20);
    Path second = trace("b.csv", 5 << 20);
    Path page = folder.resolve("diff.html");
    CommandRun run = CommandRun.of("diff", first, second, "--output", page, "--format", "json");
    assertThat(run.exitCode()).isZero();
    browser.open(page, "", TABLE);
    JsonNode groups = lines(run).getFirst().get("groups");
    List<String> shown = new ArrayList<>();
    int tables =
        Integer.parseInt(
            browser.run("return String(document.querySelectorAll('table.figures').length)"));
    for (int table = 0; table < tables; table++) {
      for (int row = 0; row < rowCount(table); row++) {
        shown.add(bytes(value(table, row, 2)) + " " + bytes(value(table, row, 3)));
      }
    }
    assertThat(shown)
        .containsExactlyInAnyOrderElementsOf(
            groups
                .valueStream()
                .map(group ->
                    group.get("bytes_a").asString() + " " + group.get("bytes_b").asString())
                .toList());
    assertThat(browser.run("return document.querySelector('main').innerText")).contains("a<b>.csv");
    browser.assertNothingWentWrong();
  }

  @Test
  void pages_rulesOfAxe_haveNoFindings() throws IOException {
    Path report = folder.resolve("axe-report.html");
    Path diff = folder.resolve("axe-diff.html");
    Path first = trace("axe1.csv", 1 << 20);
    Path second = trace("axe2.csv", 5 << 20);
    CommandRun.of("replay", first, second, "--output", report);
    CommandRun.of("diff", first, second, "--output", diff);
    browser.open(report, "", TABLE);
    assertThat(findings()).isEmpty();
    browser.open(report, "#input=1", MAP);
    assertThat(findings()).isEmpty();
    browser.open(diff, "", TABLE);
    assertThat(findings()).isEmpty();
  }

  private String findings() throws IOException {
    browser.run(Browser.axe());
    return browser.runAsync(
        """
        const { violations } = await axe.run(document, { resultTypes: ["violations"] });
        return violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" and ")).join("\\n");
        """);
  }
}
