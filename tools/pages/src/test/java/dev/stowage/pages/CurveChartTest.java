package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.CurveChart.Curve;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurveChartTest {

  @Test
  void markup_ofACurve_hasItsStepsAndAHintForEachPosition() {
    String markup =
        new CurveChart(
                "events <1>",
                List.of(1L, 2L, 4L),
                List.of("first", "second", "third"),
                List.of(new Curve("in use", "load", List.of(1024L, 2048L, 512L))))
            .markup();

    assertThat(markup)
        .contains("aria-label=\"events &lt;1&gt;\"")
        .contains("<g style=\"color:var(--load)\"><path class=\"curve\" d=\"M80 ")
        .contains("<title>second\nin use: 2,048 bytes (2.000 KiB)</title>")
        .contains("<i class=\"stroke\" style=\"border-color:var(--load)\"></i>in use<");
    assertThat(markup.split("class=\"hint\"", -1)).hasSize(4);
  }
}
