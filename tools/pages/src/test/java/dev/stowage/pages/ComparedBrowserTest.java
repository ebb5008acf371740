package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of pages that compare two things, in a browser. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ComparedBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final Browser browser = new Browser();

  private void open() throws IOException {
    FiguresPage page =
        new FiguresPage(
            "Compared",
            "difference",
            "Compared",
            RunFacts.none()
                .withConclusion(
                    new Conclusion(
                        "+1 B", "B needs more.", "Exact.", Optional.of("stowage plan b"))));
    BitSet marked = new BitSet();
    marked.set(1);
    page.addDrawings(
        new ComparedDrawings(
            new ComparedDrawings.Drawing("A: " + Samples.HOSTILE, Samples.chain(), new BitSet()),
            new ComparedDrawings.Drawing("B", Samples.model(), marked),
            "changed"));
    page.addBars(new PairedBars("A", "B", List.of(new PairedBars.Pair("model", 10, 20, "+10 B"))));
    page.addCharts(
        new ComparedCurves(
            "events",
            history("A", List.of(10L, 100L, 20L), 2),
            history("B", List.of(10L, 400L, 20L), 3)));
    Path file = folder.resolve("compared.html");
    try (Writer out = Files.newBufferedWriter(file)) {
      page.write(out);
    }
    browser.open(file, "", "document.querySelectorAll('.chart canvas')[1]?.width > 1");
  }

  private static ComparedCurves.History history(String caption, List<Long> bytes, long mark) {
    return new ComparedCurves.History(
        caption,
        List.of(1L, 2L, 3L),
        List.of("event 1", "event 2", "event 3"),
        List.of(new ComparedCurves.Line("in use", "load", bytes)),
        mark);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void page_anyColours_hasNoFindings(String colourScheme) throws IOException {
    browser.prefer(colourScheme);
    open();
    browser.run(Browser.axe());
    String findings =
        browser.runAsync(
            """
            const { violations } = await axe.run(document, { resultTypes: ["violations"] });
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" and ")}`).join("\\n");
            """);
    assertThat(findings).isEmpty();
    browser.assertNothingWentWrong();
  }

  @Test
  void drawings_ofDifferentSizes_haveOneScale() throws IOException {
    open();
    // The arena of A has 4 MiB, the one of B 2 MiB.
    String ticks =
        browser.run(
            """
            return [...document.querySelectorAll(".plot")].map((plot) =>
                [...plot.querySelectorAll(".tick[text-anchor=end]")].map((tick) => `${tick.textContent} ${tick.getAttribute("y")}`)
                    .filter((text) => text.includes("iB")).join(", ")).join(" | ");
            """);
    List<String> scales = List.of(ticks.split(" \\| ", -1));
    assertThat(scales.getFirst()).isEqualTo(scales.getLast()).contains("4 MiB");
    String marked =
        browser.run(
            "return document.querySelectorAll('.plot')[1].querySelectorAll('rect[class^=o]').length + '';");
    assertThat(marked).isEqualTo("1");
  }

  @Test
  void charts_ofDifferentHeights_haveOneScale() throws IOException {
    browser.prefer("light");
    open();
    // The first row of each chart with a long line: the curve between the events 2 and 3.
    String bytes =
        browser.run(
            """
            return [...document.querySelectorAll(".chart canvas")].map((canvas) => {
              const { width, height } = canvas;
              const area = { top: 12, height: height - 56 };
              const data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
              const isDark = (x, y) => data[4 * (y * width + x)] < 60 && data[4 * (y * width + x) + 3] > 200;
              for (let y = 0; y < height; y++) {
                let count = 0;
                for (let x = 90; x < width; x++) {
                  count += isDark(x, y);
                }
                if (count > width / 5) {
                  return Math.round(((area.top + area.height - y) / area.height) * 400 * 1.06);
                }
              }
              return -1;
            }).join(" ");
            """);
    String[] highest = bytes.split(" ", -1);
    assertThat(Long.parseLong(highest[0])).isBetween(95L, 105L);
    assertThat(Long.parseLong(highest[1])).isBetween(395L, 405L);
    assertThat(browser.run("return devicePixelRatio + '';")).isEqualTo("1");
  }

  @Test
  void charts_withAMark_haveALineAcrossAllBytes() throws IOException {
    browser.prefer("light");
    open();
    String marks =
        browser.run(
            """
            return [...document.querySelectorAll(".chart canvas")].map((canvas, i) => {
              const { width } = canvas;
              const left = 78 + Math.round(((width - 90) / 3) * [1, 2][i]);
              const data = canvas.getContext("2d").getImageData(left - 1, 13, 3, 3).data;
              return data.some((value, k) => k % 4 === 0 && value < 60 && data[k + 3] > 200);
            }).join(" ");
            """);
    assertThat(marks).isEqualTo("true true");
  }
}
