package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.pages.history.PlacedChunk;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReplayPageBrowserTest {

  private static final String NOTHING = "0,0,0,0";

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();

  @BeforeEach
  void preferLight() {
    browser.prefer("light");
  }

  private void open(ReplayMap picture) throws IOException {
    browser.open(picture, folder);
  }

  private void hover(Browser.Point point, String name) {
    browser.moveMouseTo(point);
    browser.until(
        "document.querySelector('#hover strong')?.textContent.startsWith('%s') === true"
            .formatted(name));
  }

  private void hover(double event, double units, String name) {
    hover(browser.pointOf(event, units), name);
  }

  /** The tooltips, in which halves of surrogate pairs are replaced. */
  private String hovered() {
    return browser.run("return document.getElementById('hover').innerText.toWellFormed()");
  }

  private void assertHoverIsHidden() {
    browser.until("document.getElementById('hover').hidden");
  }

  @Test
  void page_opened_paintsChunksAndFreeBytes() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    String inUse = browser.colourAt(browser.pointOf(1.5, 0.25));
    String free = browser.colourAt(browser.pointOf(4.5, 0.25));
    assertThat(inUse).isNotEqualTo(free);
    assertThat(free).isNotEqualTo(NOTHING);
    assertThat(browser.colourAt(browser.pointOf(1.5, 4.2))).isEqualTo(NOTHING);
    browser.assertNothingWentWrong();
  }

  @Test
  void hover_overAChunk_tellsWhoAskedForWhatAndWhen() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    hover(1.5, 0.25, "Allocation a");
    assertThat(hovered().lines())
        .containsExactly(
            "Allocation a",
            "requested",
            "1,048,576 bytes (1.000 MiB)",
            "chunk",
            "1,048,576 bytes (1.000 MiB)",
            "region",
            "0, offset 0",
            "events",
            "1 to 3",
            "stream",
            "3");
    hover(5, 3.75, "Allocation </script>");
    assertThat(hovered())
        .contains("2,621,440 bytes (2.500 MiB)")
        .contains("3,145,728 bytes (3.000 MiB)")
        .contains("0, offset 1,048,576")
        .contains("2 to the end")
        .contains("asked by\nat::_ops::mul_Tensor\nforward at to/model.py:12\n");
    browser.assertNothingWentWrong();
  }

  @Test
  void hover_overHostileFrames_showsThemAsText() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    hover(5, 3.75, "Allocation </script>");
    assertThat(browser.run("return document.querySelectorAll('#hover img').length")).isEqualTo("0");
    assertThat(browser.run("return document.title")).isEqualTo("t");
    assertThat(
            browser.run("return getComputedStyle(document.querySelector('#hover dd')).unicodeBidi"))
        .isEqualTo("isolate");
    browser.assertNothingWentWrong();
  }

  @Test
  void hover_overTheCurves_tellsTheirValues() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    hover(browser.pointOf(3.5, 2, 1), "After event 3");
    assertThat(hovered().lines())
        .containsExactly(
            "After event 3",
            "reserved",
            "4,194,304 bytes (4.000 MiB)",
            "in use",
            "3,145,728 bytes (3.000 MiB)",
            "holes",
            "1.000 MiB, 25.0 %",
            "unsplit rests",
            "512.000 KiB, 12.5 %",
            "requested",
            "2.500 MiB, 62.5 %");
    hover(browser.pointOf(1.5, 2, 1), "After event 1");
    browser.assertNothingWentWrong();
  }

  @Test
  void hover_overFreeBytes_showsTheHole() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    hover(1.5, 0.25, "Allocation a");
    hover(4.5, 0.5, "Free after event 4");
    assertThat(hovered().lines())
        .containsExactly(
            "Free after event 4",
            "bytes",
            "1,048,576 bytes (1.000 MiB)",
            "region",
            "0, offset 0",
            "above",
            "3.000 MiB since event 2, forward at /a/very/long/path/to/model.py:12",
            "below",
            "the edge of the region");
    browser.moveMouseTo(browser.pointOf(1.5, 4.1));
    assertHoverIsHidden();
  }

  /**
   * Region 0 of 1 KiB is returned at event 4; above it are region 1 of 2 KiB and region 2 of 4 KiB.
   */
  @Test
  void page_ofRegionsGivenBack_stacksThemByAddress() throws IOException {
    open(ReplaySamples.growing(folder));
    hover(1.5, 0.5, "Allocation a");
    hover(3.5, 2, "Allocation b");
    hover(4.5, 5, "Allocation c");
    assertThat(browser.colourAt(browser.pointOf(3.5, 0.5))).isNotEqualTo(NOTHING);
    assertThat(browser.colourAt(browser.pointOf(4.5, 0.6))).isEqualTo(NOTHING);
    assertThat(browser.colourAt(browser.pointOf(3.5, 5.1))).isEqualTo(NOTHING);
    browser.assertNothingWentWrong();
  }

  /** First 5 KiB, of which 4 KiB are in use from event 2 to 3; then the end is returned. */
  @Test
  void page_ofAnExpandableRegion_showsHowFarItReached() throws IOException {
    open(
        ReplaySamples.of(
            folder,
            BfcOptions.expandable().withTrimThreshold(1),
            "a,a,1024,,\na,b,4096,,\nf,b,,,\na,c,256,,\n"));
    hover(2.5, 4, "Allocation b");
    hover(4.5, 1.125, "Allocation c");
    hover(browser.pointOf(3.5, 2, 1), "After event 3");
    assertThat(hovered()).contains("reserved\n1,024 bytes (1.000 KiB)\n");
    assertThat(browser.colourAt(browser.pointOf(2.5, 4))).isNotEqualTo(NOTHING);
    assertThat(browser.colourAt(browser.pointOf(3.5, 4.1))).isEqualTo(NOTHING);
    browser.assertNothingWentWrong();
  }

  @Test
  void page_inTheDarkAndNarrow_isAnother() throws IOException {
    open(ReplaySamples.oneRegion(folder));
    Browser.Point inUse = browser.pointOf(1.5, 0.25);
    String light = browser.colourAt(inUse);
    browser.prefer("dark");
    browser.untilColourChanges(inUse, light);
    assertThat(browser.pointOf(1, 0).x()).isGreaterThan(100);
    browser.run("document.getElementById('frame').style.width = '400px'");
    browser.until("document.getElementById('map').explorer.view.layout().isNarrow");
    hover(1.5, 0.25, "Allocation a");
    browser.assertNothingWentWrong();
  }

  @Test
  void page_of22000Events_hoversRight() throws IOException {
    ReplayMap picture = ReplaySamples.random(folder, 22_000);
    open(picture);
    PlacedChunk chunk =
        picture.history().drawn().chunks().stream()
            .filter(c -> c.firstEvent() > 15_000 && c.endEvent() - c.firstEvent() > 500)
            .filter(c -> c.request().bytes() > ReplaySamples.MIB / 2)
            .findFirst()
            .orElseThrow();
    List<Long> regions =
        picture.history().regions().stream()
            .map(region -> region.bytes().steps().getLast().value())
            .toList();
    long base = regions.stream().limit(chunk.regionIndex()).mapToLong(Long::longValue).sum();
    long top = regions.stream().mapToLong(Long::longValue).sum();
    double units =
        (base + chunk.offset() + chunk.chunkBytes() / 2.0) / ByteUnit.unitFor(top).bytes();
    double event = (chunk.firstEvent() + chunk.endEvent()) / 2.0;
    browser.show(event - 100, event + 100, Math.max(0, units - 4), units + 4);
    hover(event, units, "Allocation " + chunk.request().id());
    assertThat(hovered().lines()).contains(ByteUnit.exact(chunk.request().bytes()));
    browser.assertNothingWentWrong();
  }

  @Test
  void page_ofNoEvents_isEmpty() throws IOException {
    open(ReplaySamples.of(folder, BfcOptions.growing(), ""));
    assertThat(browser.text("panel")).contains("0 chunks: 0 bytes requested");
    browser.assertNothingWentWrong();
  }
}
