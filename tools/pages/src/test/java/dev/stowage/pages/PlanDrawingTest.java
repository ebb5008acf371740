package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PlanDrawingTest {

  @Test
  void write_aChain_isWellFormedAndHasARectangleATensor() throws IOException {
    String svg = svg(Samples.chain());
    assertWellFormed(svg);
    assertThat(svg)
        .contains("<title>conv/Relu6: 1,048,576 bytes (1.000 MiB), tasks 0 to 3, offset 3,145,728")
        .contains("chain &amp; &lt;b&gt;co&lt;/b&gt;")
        .contains(
            "GREEDY_BY_SIZE: 4,194,304 bytes (4.000 MiB) for 3 tensors; "
                + "optimal, 20.0 % less than without sharing")
        .contains(">lower bound</text>")
        .contains(">4.000 MiB</text>")
        .doesNotContain("class=\"total");
    assertThat(svg.split("<rect [^>]*><title>", -1)).hasSize(1 + 3);
  }

  @Test
  void write_aModel_namesShapesAndOperators() throws IOException {
    String svg = svg(Samples.model());
    assertWellFormed(svg);
    assertThat(svg)
        .contains("<title>conv: 1x1024x1024 INT8, 1,048,576 bytes (1.000 MiB), CONV_2D 0 to ")
        .contains("<title>add: 1,048,576 bytes (1.000 MiB), ADD 2, offset 0</title>")
        .contains(">live at the peak, CONV_2D 0 to ADD 2</text>");
  }

  @Test
  void write_twoPeaks_namesAndMarksBoth() throws IOException {
    String svg = svg(Samples.peaks(2));
    assertThat(svg).contains(">live at one of 2 peaks, as at task 0</text>");
    assertThat(svg).containsPattern("<path class=\"peak\" d=\"(M[^M]*M[^M]*z){2}\"/>");
    assertThat(svg.split("<rect class=\"o.\"[^>]*><title>", -1)).hasSize(1 + 2);
    assertThat(svg.split("<rect class=\"b.\"[^>]*><title>", -1)).hasSize(1 + 1);
  }

  @Test
  void write_manyPeaks_countsThemAndMarksAll() throws IOException {
    String svg = svg(Samples.peaks(5));
    assertThat(svg).contains(">live at one of 5 peaks, as at task 0</text>");
    assertThat(svg).containsPattern("<path class=\"peak\" d=\"(M[^M]*M[^M]*z){5}\"/>");
  }

  @Test
  void write_morePeaksThanPixels_sharesMarks() throws IOException {
    String svg = svg(Samples.peaks(3_000));
    assertWellFormed(svg);
    assertThat(svg).containsPattern("<path class=\"peak\" d=\"M66 364H810v2H66zM[^M]*\"/>");
  }

  @Test
  void write_aPlanAboveTheBound_hasALineForEach() throws IOException {
    assertThat(svg(Samples.aboveTheBound()))
        .containsPattern("<path class=\"total\" .*\n.*>total</text>\n.*>7 B</text>")
        .containsPattern("<path class=\"bound\" .*\n.*>lower bound</text>\n.*>6 B</text>");
  }

  @Test
  void write_names_areAboveTheLoadCurve() throws IOException {
    String svg = svg(Samples.chain());
    assertThat(svg.indexOf("conv/Relu6</text>")).isGreaterThan(svg.indexOf("<path class=\"load\""));
  }

  @Test
  void write_namesThatFit_areInTheRectangles() throws IOException {
    assertThat(svg(Samples.chain())).contains(">conv/Relu6</text>").contains(">add</text>");
  }

  @Test
  void write_hostileNames_areTextAndInOrder() throws IOException {
    String svg =
        svg(
            Samples.named(
                "<script>alert(\"1\")</script>\u202e",
                "<script>alert('x')</script>",
                "\"quoted\" & 'quoted'",
                "\u202egnp.exe",
                "שכבת קלט",
                "a\u0007\u2028b",
                "x".repeat(10_000)));
    assertWellFormed(svg);
    assertThat(svg)
        .doesNotContain("<script")
        .doesNotContain("\u202e")
        .contains("<title>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;: 1,048,576 bytes")
        .contains("<title>&quot;quoted&quot; &amp; &#39;quoted&#39;: ")
        .contains("<title>?gnp.exe: ")
        .contains("<title>\u2068שכבת קלט\u2069: ")
        .contains("<title>a??b: ")
        .doesNotContain("x".repeat(200));
  }

  @Test
  void write_anyPicture_hasColoursForForcedColours() throws IOException {
    assertThat(svg(Samples.chain())).contains("@media (forced-colors: active) {");
  }

  @Test
  void write_gaps_areLeftFree() throws IOException {
    TensorUsageRecord record = TensorUsageRecord.of(8, 0, 9).withGaps(List.of(Gap.of(3, 5)));
    assertThat(
            svg(Samples.of(List.of(TensorUsageRecord.of(1, 0, 9), record))).split("<title>t1:", -1))
        .hasSize(1 + 2);
  }

  @Test
  void write_inEgypt_hasTheSameDigits() throws IOException {
    String here = svg(Samples.chain());
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      assertThat(svg(Samples.chain())).isEqualTo(here);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void write_manyRecords_isWellFormedAndSmall() throws IOException {
    String svg = svg(Samples.random(60_000));
    assertWellFormed(svg);
    assertThat(svg.length()).isLessThan(2_500_000);
  }

  @Test
  void write_noRecords_isWellFormed() throws IOException {
    assertWellFormed(svg(Samples.of(List.of())));
    assertWellFormed(svg(Samples.of(List.of(TensorUsageRecord.of(0, 5, 5)))));
  }

  @Test
  void write_longTasksAndBytes_isWellFormed() throws IOException {
    String svg =
        svg(
            Samples.of(
                List.of(
                    TensorUsageRecord.of(1L << 61, 1L << 40, 1L << 41),
                    TensorUsageRecord.of(1L << 61, 0, Long.MAX_VALUE))));
    assertWellFormed(svg);
    assertThat(svg).contains("4.000 EiB").doesNotContain("NaN").doesNotContain("Infinity");
  }

  /** Parses with AssertJ, because the module under test does not read java.xml. */
  @SuppressWarnings("deprecation")
  private static void assertWellFormed(String svg) {
    assertThat(svg).isXmlEqualTo(svg);
  }

  private static String svg(PlanPicture picture) throws IOException {
    StringWriter out = new StringWriter();
    PlanDrawing.write(picture, out);
    return out.toString();
  }
}
