package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.plan.Gap;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlanPageBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();

  @BeforeEach
  void preferLight() {
    browser.prefer("light");
  }

  @Test
  void page_opened_showsTheBestPlan() throws IOException {
    open(Samples.chain());
    assertThat(browser.text("total")).isEqualTo("4,194,304 bytes (4.000 MiB)");
    assertThat(browser.text("lower-bound")).isEqualTo("4,194,304 bytes (4.000 MiB)");
    assertThat(browser.text("above")).isEqualTo("0.0 %: proved optimal");
    assertThat(browser.text("objects")).isEmpty();
    assertThat(browser.text("saving")).isEqualTo("20.0 % of 5,242,881 bytes (5.000 MiB)");
    browser.assertNothingWentWrong();
  }

  @Test
  void page_opened_paintsTheRectanglesOfTheParts() throws IOException {
    open(Samples.chain());
    String ground = browser.colourAt(browser.pointOf(8.25, 3.55));
    assertThat(browser.colourAt(browser.pointOf(4.25, 0.55))).isNotEqualTo(ground);
    assertThat(browser.colourAt(browser.pointOf(1.25, 3.45))).isNotEqualTo(ground);
    assertThat(browser.colourAt(browser.pointOf(1.25, 2.45))).isEqualTo(ground);
  }

  @Test
  void hover_overARectangle_tellsNameBytesLifetimeAndOffset() throws IOException {
    open(Samples.chain());
    hover(2, 3.5, "conv/Relu6");
    assertThat(browser.text("hover").lines())
        .containsExactly(
            "conv/Relu6",
            "id",
            "10",
            "bytes",
            "1,048,576 bytes (1.000 MiB)",
            "lifetime",
            "tasks 0 to 3",
            "offset",
            "3,145,728");
    hover(5, 1.5, "add");
    assertThat(browser.text("hover")).contains("tasks 3 to 6").contains("3,145,728 bytes");
    browser.assertNothingWentWrong();
  }

  @Test
  void hover_overATensorOfAModel_tellsItsShapeAndOperators() throws IOException {
    open(Samples.model());
    assertThat(browser.text("panel")).contains("CONV_2D 0");
    hover(1, 0.5, "conv");
    assertThat(browser.text("hover").lines())
        .containsExactly(
            "conv",
            "id",
            "10",
            "shape",
            "1x1024x1024 INT8",
            "bytes",
            "1,048,576 bytes (1.000 MiB)",
            "lifetime",
            "CONV_2D 0 to <img src=x> 1",
            "offset",
            "0");
    hover(2.5, 0.5, "add");
    assertThat(browser.text("hover")).contains("ADD 2").doesNotContain("shape");
    browser.assertNothingWentWrong();
  }

  @Test
  void hover_overFreeBytes_tellsNothing() throws IOException {
    open(Samples.chain());
    hover(2, 3.5, "conv/Relu6");
    browser.moveMouseTo(browser.pointOf(8, 2.5));
    browser.until("document.getElementById('hover').hidden");
  }

  @Test
  void hover_overAHostileName_showsItAsText() throws IOException {
    open(Samples.chain());
    hover(8.5, 0.5, "</script><img src=x");
    assertThat(browser.run("return document.querySelectorAll('#hover img').length")).isEqualTo("0");
    assertThat(browser.run("return document.title")).isEqualTo("t");
    browser.assertNothingWentWrong();
  }

  @Test
  void select_anotherStrategy_changesTheTotalAndTheMap() throws IOException {
    open(Samples.withObjects());
    browser.select("NAIVE, objects");
    browser.until("document.getElementById('total').textContent.startsWith('5,242,881 ')");
    assertThat(browser.text("above")).isEqualTo("25.0 %");
    assertThat(browser.text("objects"))
        .isEqualTo(
            "The map shows shared objects one after the other. The lower bound is that of shared"
                + " objects.");
    assertThat(browser.text("lower-bound")).isEqualTo("4,194,304 bytes (4.000 MiB)");
    hover(8.5, 4.5, "</script>");
    assertThat(browser.run("return document.querySelector('#hover dl').innerText"))
        .contains("object\n2");
    browser.assertNothingWentWrong();
  }

  @Test
  void zoom_byKeys_keepsHoveringRight() throws IOException {
    open(Samples.chain());
    int before = browser.pointOf(5, 1.5).x();
    browser.press("+");
    browser.press("+");
    assertThat(browser.pointOf(4.5, 2.5).x()).isNotEqualTo(before);
    hover(4.5, 2.5, "add");
    browser.press("0");
    assertThat(browser.pointOf(5, 1.5).x()).isEqualTo(before);
    browser.assertNothingWentWrong();
  }

  @Test
  void zoom_byWheel_keepsHoveringRight() throws IOException {
    open(Samples.chain());
    int before = browser.pointOf(9, 1.5).x();
    browser.turnWheelAt(browser.pointOf(5, 1.5), -300);
    assertThat(browser.pointOf(9, 1.5).x()).isEqualTo(before); // the page scrolls
    browser.press(Keys.ESCAPE);
    browser.turnWheelAt(browser.pointOf(5, 1.5), -300);
    browser.until("document.getElementById('map').explorer.store.get().range !== null");
    assertThat(browser.pointOf(9, 1.5).x()).isGreaterThan(before);
    hover(5, 1.5, "add");
    browser.assertNothingWentWrong();
  }

  @Test
  void page_inTheDark_hasOtherColours() throws IOException {
    open(Samples.chain());
    Browser.Point inA = browser.pointOf(1.25, 3.4);
    String light = browser.colourAt(inA);
    String ground = browser.run("return getComputedStyle(document.body).backgroundColor");
    browser.prefer("dark");
    browser.untilColourChanges(inA, light);
    assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
        .isNotEqualTo(ground);
    browser.assertNothingWentWrong();
  }

  @Test
  void page_ofGaps_paintsWindowsAlone() throws IOException {
    TensorUsageRecord record =
        TensorUsageRecord.of(8, 0, 9).withGaps(List.of(new Gap(2, 3, 0, 4), Gap.of(6, 7)));
    open(Samples.of(List.of(record)));
    hover(3, 2, "t0");
    browser.moveMouseTo(browser.pointOf(7, 2));
    browser.until("document.getElementById('hover').hidden");
    hover(9, 6, "t0");
    browser.moveMouseTo(browser.pointOf(3, 6));
    browser.until("document.getElementById('hover').hidden");
  }

  @Test
  void page_ofLongTasksAndBytes_hoversRight() throws IOException {
    long task = 1L << 50;
    open(
        Samples.of(
            List.of(
                TensorUsageRecord.of(1L << 50, task, task + 9),
                TensorUsageRecord.of(1L << 50, task + 5, task + 19))));
    hover((double) task + 15, 1.5, "t1");
    assertThat(browser.text("hover").lines())
        .contains("1,125,899,906,842,624 bytes (1.000 PiB)")
        .contains("tasks 1,125,899,906,842,629 to 1,125,899,906,842,643");
    browser.assertNothingWentWrong();
  }

  @Test
  void page_ofNoTensors_isEmpty() throws IOException {
    open(Samples.of(List.of()));
    assertThat(browser.text("total")).isEqualTo("0 bytes");
    browser.assertNothingWentWrong();
  }

  @Test
  void page_of60000Tensors_hoversRight() throws IOException {
    PlanPicture picture = Samples.random(60_000);
    open(picture);
    TensorUsageRecord record = picture.problem().records().get(54_321);
    double task = (record.firstTask() + record.lastTask() + 1) / 2.0;
    long offset = picture.best().drawn().offset(54_321);
    long unit = ByteUnit.unitFor(picture.best().totalBytes()).bytes();
    double units = (offset + record.bytes() / 2.0) / unit;
    browser.show(task - 100, task + 100, Math.max(0, units - 4), units + 4);
    hover(task, units, "t54321");
    assertThat(browser.text("hover").lines()).contains(ByteUnit.exact(record.bytes()));
    browser.assertNothingWentWrong();
  }

  @Test
  void page_withACapacity_drawsALine() throws IOException {
    PlanPicture chain = Samples.chain();
    open(chain);
    List<String> without = coloursBeside(browser.pointOf(2.5, 2));
    OptionalLong capacity = OptionalLong.of(2 << 20);
    open(
        new PlanPicture(
            "chain", List.of(), chain.labels(), chain.problem(), chain.plans(), 1, capacity));
    assertThat(coloursBeside(browser.pointOf(2.5, 2))).isNotEqualTo(without);
    browser.assertNothingWentWrong();
  }

  /** {@return the colours of some pixels to the right of a point, as the lines are dashed} */
  private List<String> coloursBeside(Browser.Point point) {
    return IntStream.range(0, 5)
        .mapToObj(dx -> browser.colourAt(new Browser.Point(point.x() + dx, point.y())))
        .toList();
  }

  private void open(PlanPicture picture) throws IOException {
    browser.open(new PlanMap(picture), folder);
  }

  private void hover(double task, double units, String name) {
    browser.moveMouseTo(browser.pointOf(task, units));
    browser.until(
        "document.querySelector('#hover strong')?.textContent.startsWith(\""
            + name
            + "\") === true");
  }
}
