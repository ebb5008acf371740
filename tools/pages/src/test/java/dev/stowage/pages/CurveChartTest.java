package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.CurveChart.Curve;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

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
}
