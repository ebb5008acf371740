package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.ScatterChart.Line;
import dev.stowage.pages.ScatterChart.Mark;
import dev.stowage.pages.ScatterChart.Point;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** A chart of points and its table in a browser. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ScatterBrowserTest {

  private static final String DRAWN = "document.querySelector('.scatter canvas')?.width > 1";

  private static final List<Point> FOUR =
      List.of(
          new Point(9, 3 << 20, 3 << 20, 3 << 20, Mark.RECOMMENDED, "recommended"),
          new Point(8, 4 << 20, 3 << 20, 5 << 20, Mark.NONE, ""),
          new Point(12, 5 << 20, 5 << 20, 5 << 20, Mark.NONE, ""),
          new Point(8, 2 << 20, 2 << 20, 2 << 20, Mark.FAILED, "as recorded, 1 failed request"));

  @TempDir Path folder;

  @RegisterExtension final Browser browser = new Browser();

  private void open(List<Point> points) throws IOException {
    open(points, DRAWN);
  }

  private void open(List<Point> points, String condition) throws IOException {
    FiguresPage page = new FiguresPage("Scatter", "scatter", "Tuned", RunFacts.none());
    AtomicInteger index = new AtomicInteger();
    FigureTable<Point> table =
        new FigureTable<Point>("Settings")
            .left(
                "Settings",
                point ->
                    Cell.text("setting " + index.getAndIncrement())
                        .withMore("and 2 settings", List.of("first", "second")))
            .bytes("Peak", Point::bytes)
            .text("Note", Point::label);
    page.addScatter(
        new ScatterChart(
            "calls that cost time",
            "peak reserved",
            "settings",
            "range",
            points,
            List.of(
                new Line("requested", "bound", 1 << 20),
                new Line("limit", "capacity", 6 << 20),
                new Line("far away", "total", 1L << 40))),
        table.addAll(points));
    Path file = folder.resolve("scatter.html");
    try (Writer out = Files.newBufferedWriter(file)) {
      page.write(out);
    }
    browser.open(file, "", condition);
  }

  private String hover() {
    return browser.run("return document.getElementById('hover').innerText");
  }

  private String currentRow() {
    return browser.run(
        "return document.querySelector('tr[aria-current]')?.cells[0].firstChild.textContent ?? 'none'");
  }

  /** {@return the point of the window with the recommended colour} */
  private Browser.Point recommended() {
    String[] at =
        browser
            .run(
                """
                const canvas = document.querySelector(".scatter canvas");
                const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
                const [r, g, b] = [0x59, 0xa1, 0x4f];
                const box = canvas.getBoundingClientRect();
                let [sumX, sumY, count] = [0, 0, 0];
                for (let i = 0; i < data.length; i += 4) {
                  if (data[i] === r && data[i + 1] === g && data[i + 2] === b) {
                    sumX += (i / 4) % width;
                    sumY += Math.floor(i / 4 / width);
                    count++;
                  }
                }
                return Math.round(box.left + sumX / count) + " " + Math.round(box.top + sumY / count);
                """)
            .split(" ", 2);
    return new Browser.Point(Integer.parseInt(at[0]), Integer.parseInt(at[1]));
  }

  @Test
  void keys_stepThroughThePoints_andChooseTheirRows() throws IOException {
    open(FOUR);
    browser.run("document.querySelector('.scatter').focus()");

    browser.pressActive(Keys.ARROW_RIGHT);
    assertThat(hover())
        .startsWith("setting 3\nPeak\n2,097,152 bytes (2.000 MiB)\nNote\nas recorded");
    browser.pressActive(Keys.ARROW_RIGHT);
    assertThat(hover()).startsWith("setting 1\n");
    browser.pressActive(Keys.ARROW_UP);
    assertThat(hover()).startsWith("setting 2\n");
    browser.pressActive(Keys.ARROW_DOWN);
    browser.pressActive(Keys.ARROW_DOWN);
    assertThat(hover()).startsWith("setting 0\n");
    assertThat(currentRow()).isEqualTo("none");
    browser.pressActive(Keys.ENTER);
    assertThat(currentRow()).isEqualTo("setting 0");
    browser.pressActive(Keys.ESCAPE);
    assertThat(currentRow()).isEqualTo("none");
    browser.assertNothingWentWrong();
  }

  @Test
  void click_onAPoint_choosesItsRow_andTheOtherWayRound() throws IOException {
    browser.prefer("light");
    open(FOUR);

    browser.moveMouseTo(recommended());
    assertThat(hover()).startsWith("setting 0\n");
    browser.click(recommended());
    assertThat(currentRow()).isEqualTo("setting 0");

    String before = picture();
    browser.clickOn("tbody tr:nth-child(3)");
    assertThat(currentRow()).isEqualTo("setting 2");
    assertThat(picture()).isNotEqualTo(before);
    browser.assertNothingWentWrong();
  }

  private String picture() {
    return browser.run("return document.querySelector('.scatter canvas').toDataURL()");
  }

  /** The list of a row opens by mouse and by keys, and does not choose the row. */
  @Test
  void list_ofARow_opensByKeys() throws IOException {
    open(FOUR);
    browser.clickOn("tbody tr summary");
    assertThat(browser.run("return document.querySelector('tbody details').innerText"))
        .isEqualTo("and 2 settings\nfirst\nsecond");
    browser.run("document.querySelectorAll('tbody summary')[1].focus()");
    browser.pressActive(Keys.ENTER);
    assertThat(browser.run("return String(document.querySelectorAll('details[open]').length)"))
        .isEqualTo("2");
    assertThat(currentRow()).isEqualTo("none");
    browser.assertNothingWentWrong();
  }

  @Test
  void keys_zoom_keepThePointInTheMiddle() throws IOException {
    open(FOUR);
    String home = picture();
    browser.run("document.querySelector('.scatter').focus()");
    browser.pressActive("+");
    browser.pressActive("+");
    browser.pressActive(Keys.ARROW_LEFT);

    assertThat(hover()).startsWith("setting 2\n");
    assertThat(picture()).isNotEqualTo(home);
    browser.pressActive(Keys.ESCAPE);
    browser.pressActive("0");
    assertThat(picture()).isEqualTo(home);
    browser.assertNothingWentWrong();
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void page_anyColours_hasNoFindings(String colourScheme) throws IOException {
    browser.prefer(colourScheme);
    open(FOUR);
    browser.run(Browser.axe());
    assertThat(
            browser.runAsync(
                """
                document.querySelectorAll("details").forEach((details) => { details.open = true; });
                const { violations } = await axe.run(document, { resultTypes: ["violations"] });
                return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" and ")}`).join("\\n");
                """))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 800, 1500, 3840})
  void page_anyWidth_fitsTheWindow(int width) throws IOException {
    browser.resize(width, 1000);
    open(FOUR);

    assertThat(
            browser.run(
                "return String(document.documentElement.scrollWidth - document.documentElement.clientWidth)"))
        .isEqualTo("0");
    browser.resize(1280, 1200);
  }

  @Test
  void page_withoutScripts_hasTheTable() throws IOException {
    browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    try {
      open(FOUR, "document.querySelector('td') !== null");
      assertThat(browser.run("return document.body.innerText"))
          .contains("setting 0", "and 2 settings", "as recorded, 1 failed request")
          .doesNotContain("on the front");
    } finally {
      browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    }
  }

  /** Each step shows the next point, also of ten thousand, of which most rows are not drawn. */
  @Test
  void keys_inTenThousandPoints_showEach() throws IOException {
    open(
        LongStream.range(0, 10_000)
            .mapToObj(i -> {
              long bytes = (1 << 22) + i * 7919 % 10_007;
              return new Point(i * 31 % 997, bytes, bytes, bytes, Mark.NONE, "");
            })
            .toList());

    browser.run("document.querySelector('.scatter').focus()");
    browser.pressActive(Keys.ARROW_UP);
    assertThat(hover()).startsWith("setting 0\n");
    for (int i = 0; i < 20; i++) {
      browser.pressActive(Keys.ARROW_UP);
    }
    browser.pressActive(Keys.ENTER);
    assertThat(currentRow()).startsWith("setting ");
    assertThat(hover()).startsWith(currentRow() + "\n");
    browser.assertNothingWentWrong();
  }
}
