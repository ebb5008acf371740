package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.browser.Browser.Point;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Wheel, mouse, fingers and keys on the map. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MapInputBrowserTest {

  private static final int CTRL = 2;
  private static final int SHIFT = 8;
  private static final String RANGE = "document.getElementById('map').explorer.store.get().range";

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();

  @BeforeEach
  void openPage() throws IOException {
    browser.resize(1000, 600);
    open(Samples.chain());
  }

  @AfterEach
  void checkLog() {
    browser.assertNothingWentWrong();
  }

  private void open(PlanPicture picture) throws IOException {
    browser.open(new PlanMap(picture), folder);
  }

  private String state(String name) {
    return browser.run("return document.getElementById('map').explorer.store.get()." + name);
  }

  /** {@return a number of a range of the map, or of the whole map if it is shown} */
  private double range(String end) {
    return Double.parseDouble(
        browser.run(
            """
            const { view, store } = document.getElementById('map').explorer;
            return view.rangeOf(store.get())[arguments[0]];
            """,
            end));
  }

  private void scrollToMap() {
    browser.run("document.getElementById('map').scrollIntoView({ block: 'start' })");
  }

  @Test
  void wheel_overTheMap_scrollsThePage() {
    browser.turnWheelAt(browser.pointOf(5, 3.9), 200, 0);
    browser.until("scrollY > 0");
    assertThat(state("range")).isEqualTo("null");
  }

  @Test
  void wheel_withCtrl_zoomsTheMap() {
    browser.turnWheelAt(browser.pointOf(5, 3.9), -200, CTRL);
    browser.until(RANGE + " !== null");
    assertThat(range("right") - range("left")).isLessThan(10);
    assertThat(range("top") - range("bottom")).isLessThan(4 * Samples.MIB);
    assertThat(browser.run("return scrollY")).isEqualTo("0");
    assertThat(browser.run("return visualViewport.scale")).isEqualTo("1");
  }

  @Test
  void wheel_overTheMapWithFocus_zooms() {
    browser.click(browser.pointOf(5, 3.9));
    browser.turnWheelAt(browser.pointOf(5, 3.9), -200, 0);
    browser.until(RANGE + " !== null");
    assertThat(browser.run("return scrollY")).isEqualTo("0");
  }

  @Test
  void wheel_withShift_zoomsTheTasksAlone() {
    double top = range("top");
    browser.click(browser.pointOf(5, 3.9));
    browser.turnWheelAt(browser.pointOf(5, 3.9), -200, SHIFT);
    browser.until(RANGE + " !== null");
    assertThat(range("right") - range("left")).isLessThan(10);
    assertThat(range("bottom")).isZero();
    assertThat(range("top")).isEqualTo(top);
  }

  @Test
  void drag_ofTheMap_movesIt() {
    browser.show(4, 6, 0, 2);
    scrollToMap();
    browser.drag(browser.pointOf(5.5, 1), browser.pointOf(4.5, 1));
    browser.until(RANGE + ".left > 4.9");
    assertThat(range("right") - range("left")).isBetween(1.999, 2.001);
    assertThat(state("pinned")).isEqualTo("-1");
  }

  @Test
  void oneFinger_upwards_scrollsThePage() {
    Point at = browser.pointOf(5, 3);
    for (int moved = 0; moved <= 120; moved += 10) {
      touch(
          moved == 0 ? "touchStart" : "touchMove",
          List.of(Map.of("x", at.x(), "y", at.y() - moved)));
    }
    touch("touchEnd", List.of());
    browser.until("scrollY > 0");
    assertThat(state("range")).isEqualTo("null");
  }

  private void touch(String type, List<Map<String, Integer>> points) {
    browser.send("Input.dispatchTouchEvent", Map.of("type", type, "touchPoints", points));
  }

  @Test
  void tap_onATensor_selectsIt() {
    Point at = browser.pointOf(5, 1.5);
    browser.send(
        "Input.synthesizeTapGesture",
        Map.of("x", at.x(), "y", at.y(), "gestureSourceType", "touch"));
    browser.until("document.getElementById('map').explorer.store.get().pinned === 1");
    assertThat(state("moment")).isEqualTo("5");
  }

  @Test
  void p_withSeveralPeaks_goesToTheNext() throws IOException {
    open(Samples.peaks(23));
    assertThat(state("moment")).isEqualTo("0");
    browser.press("p");
    assertThat(state("moment")).isEqualTo("2");
    browser.show(0, 4, 0, 2);
    browser.press("pppp");
    assertThat(state("moment")).isEqualTo("10");
    assertThat(range("left")).isLessThanOrEqualTo(10);
    assertThat(range("right")).isGreaterThanOrEqualTo(11);
    assertThat(browser.run("return document.getElementById('said').textContent"))
        .isEqualTo("task 10: 2 bytes in 1 tensor");
    browser.press("p".repeat(18));
    assertThat(state("moment")).isEqualTo("0");
  }

  @Test
  void keys_onTheMap_moveTheMomentAndTheMap() {
    String moment = state("moment");
    browser.press(Keys.ARROW_RIGHT);
    assertThat(state("moment")).isNotEqualTo(moment);
    browser.press(Keys.ARROW_LEFT);
    assertThat(state("moment")).isEqualTo(moment);
    browser.show(4, 6, 0, 2);
    browser.press(Keys.ARROW_UP);
    assertThat(range("bottom")).isPositive();
    browser.press(Keys.chord(Keys.SHIFT, Keys.ARROW_RIGHT));
    assertThat(range("left")).isEqualTo(4.5);
    browser.press("0");
    assertThat(state("range")).isEqualTo("null");
  }

  @Test
  void tab_throughThePage_reachesEveryControl() {
    StringBuilder reached = new StringBuilder();
    for (int i = 0; i < 14; i++) {
      browser.pressTab();
      reached.append(browser.run("return document.activeElement.id")).append(' ');
      if (browser.run("return document.activeElement.id").equals("map")) {
        assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
            .isEqualTo("solid");
      }
    }
    assertThat(reached.toString().split(" "))
        .contains("strategy", "group", "next-peak", "whole", "map", "tab-moment", "find");
  }
}
