package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.CurveChart.Curve;
import dev.stowage.pages.StackedAreas.Area;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Charts of curves and of areas as SVG. */
class CurveChartTest {

  private static CurveChart of(long top, Long... bytes) {
    return new CurveChart(
        "events <1>",
        List.of(1L, 2L, 4L),
        List.of("first", "second", "third"),
        List.of(new Curve("in use", "load", List.of(bytes))),
        top,
        OptionalLong.of(2));
  }

  @Test
  void markup_ofACurve_hasItsStepsItsMarkAndAHintForEachPosition() {
    String markup = of(0, 1024L, 2048L, 512L).markup();

    assertThat(markup)
        .contains("aria-label=\"events &lt;1&gt;\"")
        .contains("<g style=\"color:var(--load)\"><path class=\"curve\" d=\"M80 ")
        .contains("<path class=\"moment\"")
        .contains("<title>second\nin use: 2,048 bytes (2.000 KiB)</title>")
        .contains("<i class=\"stroke\" style=\"border-color:var(--load)\"></i>in use<");
    assertThat(markup.split("class=\"hint\"", -1)).hasSize(4);
  }

  @Test
  void withTop_ofTwoCharts_givesThemOneScale() {
    long top = of(0, 1L, 400L, 1L).mostBytes();
    String tick = "y=\"99.1\" text-anchor=\"end\">300 B</text>";

    assertThat(of(0, 1L, 400L, 1L).markup()).contains(tick);
    assertThat(of(0, 1L, 100L, 1L).withTop(top).markup()).contains(tick);
    assertThat(of(0, 1L, 100L, 1L).markup()).doesNotContain(tick);
  }

  @Test
  void markup_ofAreas_hasThemFromTopToBottom() {
    String markup =
        new StackedAreas(
                "minutes",
                "resident",
                60_000,
                List.of(0L, 60_000L, 240_000L),
                List.of("first", "second", "last"),
                List.of(
                    new Area("low", List.of(4096L, 4096L, 4096L)),
                    new Area("high", List.of(0L, 4096L, 12_288L))))
            .markup();

    assertThat(markup)
        .contains(
            "<title>second\nresident: 8,192 bytes (8.000 KiB)\nhigh: 4,096 bytes (4.000 KiB)\n"
                + "low: 4,096 bytes (4.000 KiB)</title>")
        .contains("text-anchor=\"middle\">4</text>");
    assertThat(markup.indexOf("</i>high<")).isLessThan(markup.indexOf("</i>low<"));
    // An area covers those above it, which are drawn first.
    assertThat(markup.indexOf("var(--group0)")).isLessThan(markup.indexOf("var(--group1)"));
  }
}
