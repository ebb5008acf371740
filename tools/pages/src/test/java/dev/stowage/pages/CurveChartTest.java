package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.CurveChart.Curve;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurveChartTest {

  @Test
  void markup_ofACurve_hasItsSteps() {
    String markup =
        new CurveChart(
                "events <1>",
                List.of(1L, 2L, 4L),
                List.of(new Curve("in use", "load", List.of(1024L, 2048L, 512L))))
            .markup();

    assertThat(markup)
        .contains("aria-label=\"events &lt;1&gt;\"")
        .contains("<g style=\"color:var(--load)\"><path class=\"curve\" d=\"M80 ")
        .contains("<i class=\"stroke\" style=\"border-color:var(--load)\"></i>in use<");
  }
}
