package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages in narrow and wide windows, and the labels and marks of the map. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MapLayoutBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();

  @AfterEach
  void checkLog() {
    browser.assertNothingWentWrong();
  }

  private void open(PlanPicture picture) throws IOException {
    browser.open(new PlanMap(picture), folder);
  }

  private void open(ReplayMap picture) throws IOException {
    browser.open(picture, folder);
  }

  private double number(String expression) {
    return Double.parseDouble(
        browser.run(
            "const { model, store, view } = document.getElementById('map').explorer;"
                + "view.flush(); return "
                + expression));
  }

  private void assertNoHorizontalScroll() {
    assertThat(number("document.documentElement.scrollWidth"))
        .isEqualTo(number("document.documentElement.clientWidth"));
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 390, 768, 1400, 3840})
  void pages_ofAnyWidth_useItWithoutScrolling(int width) throws IOException {
    browser.resize(width, width > 2000 ? 2000 : 900);
    open(Samples.withObjects());
    assertWidthIsUsed();
    open(ReplaySamples.oneRegion(folder));
    assertWidthIsUsed();
  }

  private void assertWidthIsUsed() {
    assertNoHorizontalScroll();
    double width = number("document.documentElement.clientWidth");
    double map = number("view.layout().map.width");
    double side = number("document.getElementById('side').offsetWidth");
    if (width < 640) {
      assertThat(map).isGreaterThan(0.7 * width);
    } else if (width > 1000) {
      assertThat(map).isGreaterThan(0.5 * width);
      assertThat(map + side).isGreaterThan(0.75 * width);
    }
  }

  @Test
  void text_inAWideWindow_isLarger() throws IOException {
    browser.resize(1400, 900);
    open(Samples.chain());
    String size = "parseFloat(getComputedStyle(document.getElementById('map')).fontSize)";
    assertThat(number(size)).isEqualTo(14);
    browser.resize(3840, 2000);
    assertThat(number(size)).isGreaterThan(17);
  }

  @Test
  void tooltip_ofLongNames_staysWithinTheWindow() throws IOException {
    browser.resize(390, 500);
    String name = "very/long/name".repeat(700) + "漢".repeat(200);
    open(Samples.named(name, name, "x".repeat(10_000), "b"));
    assertNoHorizontalScroll();
    browser.run("document.getElementById('map').scrollIntoView()");
    browser.moveMouseTo(browser.pointOf(0.5, 0.5));
    browser.until("!document.getElementById('hover').hidden");
    browser.moveMouseTo(browser.pointOf(0.6, 0.5));
    browser.until("document.getElementById('map').explorer.store.get().hovered === 0");
    browser.run(
        """
        const { left, top, right, bottom } = document.getElementById('hover').getBoundingClientRect();
        if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
          throw new Error(`the tooltip is at ${left}, ${top}, ${right}, ${bottom}`);
        }
        """);
    assertNoHorizontalScroll();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 23, 1000})
  void peaks_anyNumber_haveTriangles(int count) throws IOException {
    browser.resize(1400, 900);
    open(Samples.peaks(count));
    String unmarked =
        browser.run(
            """
            const map = document.getElementById('map');
            const { model, view } = map.explorer;
            view.flush();
            const [, marks] = map.querySelectorAll('canvas');
            const { map: area, x } = view.layout();
            const context = marks.getContext('2d');
            return model.peaks.filter(([first, last]) => {
              const at = Math.round(x((first + last + 1) / 2));
              const { data } = context.getImageData(at - 5, area.y - 6, 11, 2);
              return data.every((part) => part === 0);
            }).length + ' of ' + model.peaks.length;
            """);
    assertThat(unmarked).isEqualTo("0 of " + count);
  }

  @Test
  void regions_withSpace_haveNamesBesideTheMap() throws IOException {
    browser.resize(1400, 900);
    open(ReplaySamples.growing(folder));
    for (int region = 0; region < 3; region++) {
      double painted =
          number(
              """
              (() => {
                const { map, y } = view.layout();
                const { low, high } = model.bands[%s];
                const at = (y(low) + y(high)) / 2;
                const context = document.querySelector('#map canvas').getContext('2d');
                const { data } = context.getImageData(map.x + map.width + 6, at - 8, 60, 16);
                return data.filter((part) => part > 0).length;
              })()
              """
                  .strip()
                  .formatted(region));
      assertThat(painted).as("pixels of the name of region %s", region).isGreaterThan(50);
    }
  }

  @Test
  void momentAndBoxes_withoutColour_differ() throws IOException {
    browser.resize(1400, 900);
    open(Samples.chain());
    // The moment is within task 3 to 6: the tensor "add" is live and has lines.
    assertThat(colours(4, 6, 1)).isGreaterThan(1);
    assertThat(colours(8, 9, 0.5)).isEqualTo(1);
  }

  /** {@return the number of colours along a row of the map} */
  private long colours(double from, double to, double units) {
    Browser.Point start = browser.pointOf(from, units);
    Browser.Point end = browser.pointOf(to, units);
    return IntStream.range(start.x(), end.x() - 30)
        .mapToObj(x -> browser.colourAt(new Browser.Point(x, start.y() - 20)))
        .distinct()
        .count();
  }
}
