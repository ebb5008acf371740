package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The panel "Reasons": holes and chunks at failed requests, and the tensors of an explanation. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReasonsBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();

  @BeforeAll
  void prepare() {
    browser.prefer("light");
  }

  private void open(ReplayPicture picture) throws IOException {
    browser.open(picture, folder);
    browser.run("document.getElementById('tab-reasons').click()");
  }

  private void open(PlanPicture picture) throws IOException {
    browser.open(picture, folder);
    browser.run("document.getElementById('tab-reasons').click()");
  }

  private String panel() {
    return browser.run("return document.getElementById('panel').innerText.toWellFormed()");
  }

  private void click(String text) {
    browser.run(
        "[...document.querySelectorAll('#panel button')]"
            + ".find(button => button.textContent.startsWith(arguments[0])).click()",
        text);
  }

  @Test
  void request_chosen_setsTheMoment() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    click("event 4: 2.000 MiB on stream 4, forward at /a/very/long/path/to/model.py:12");

    assertThat(browser.run("return document.getElementById('map').explorer.store.get().moment"))
        .isEqualTo("4");
    assertThat(browser.run("return document.querySelectorAll('#panel img').length")).isEqualTo("0");
    browser.assertNothingWentWrong();
  }

  @Test
  void requests_moreThan200_areCounted() throws IOException {
    StringBuilder failing = new StringBuilder();
    for (int i = 0; i < 450; i++) {
      failing.append("a,").append(i).append(",2048,,\n");
    }
    open(ReplaySamples.of(folder, BfcOptions.oneRegion(1024), failing.toString()));
    assertThat(panel())
        .contains("event 200: 2.000 KiB on stream 0, '199'", "and 250 more")
        .doesNotContain("event 201: ");
    browser.assertNothingWentWrong();
  }

  /** {@return the colours of some pixels to the right of a point, as the lines are dashed} */
  private List<String> coloursBeside(Browser.Point point) {
    return IntStream.range(0, 5)
        .mapToObj(dx -> browser.colourAt(new Browser.Point(point.x() + dx, point.y())))
        .toList();
  }

  @Test
  void plan_explained_highlightsTheConflictAndDrawsTheCapacity() throws IOException {
    PlanPicture chain = Samples.chain();
    PlanPicture explained =
        chain
            .withConflict(List.of(2, 1))
            .withRun(
                RunFacts.none()
                    .withReasons(List.of("Why not 2 bytes: <b>\u202E" + "x".repeat(10_000)))
                    .withCapacity(OptionalLong.of(2 << 20)));
    open(chain);
    String line = browser.colourAt(browser.pointOf(2.5, 2));
    open(explained);
    assertThat(coloursBeside(browser.pointOf(2.5, 2))).anyMatch(colour -> !colour.equals(line));
    assertThat(panel())
        .startsWith("Why not 2 bytes: <b>")
        .contains("2 tensors, 4,194,305 bytes (4.000 MiB)")
        .contains("add");
    click("Show these tensors");
    assertThat(
            browser.run(
                "return document.getElementById('map').explorer.store.get().matches.join()"))
        .isEqualTo("0,1,1");
    click("add");
    assertThat(browser.run("return document.getElementById('map').explorer.store.get().pinned"))
        .isEqualTo("1");
    assertThat(browser.run("return document.querySelectorAll('#panel img').length")).isEqualTo("0");
    browser.assertNothingWentWrong();
  }

  @Test
  void plan_withoutAnExplanation_listsTheTensorsAtThePeak() throws IOException {
    open(Samples.chain());
    assertThat(panel()).contains("Tensors at the peak").contains("add");
    browser.assertNothingWentWrong();
  }
}
