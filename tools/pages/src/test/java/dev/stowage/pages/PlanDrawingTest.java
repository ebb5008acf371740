package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.TensorUsageRecord;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanDrawingTest {

  @Test
  void write_aChain_isWellFormedAndHasARectangleATensor() {
    String svg = svg(Samples.chain());
    assertWellFormed(svg);
    assertThat(svg)
        .contains("chain &amp; &lt;b&gt;co&lt;/b&gt;")
        .contains(
            "GREEDY_BY_SIZE: 4,194,304 bytes (4.000 MiB) for 3 tensors; "
                + "optimal, 20.0 % less than without sharing")
        .contains(">lower bound</text>")
        .contains(">4.000 MiB</text>")
        .doesNotContain("class=\"total");
    assertThat(counts(svg)).isEqualTo("[1, 2]");
  }

  @Test
  void write_severalPeaks_marksThemAndTheTensorsOfTheFirst() {
    String svg = svg(Samples.peaks(2));
    assertThat(svg).contains(">live at the peak</text>");
    assertThat(svg.split("<path class=\"peak\"", -1)).hasSize(1 + 2);
    assertThat(counts(svg)).isEqualTo("[2, 1]");
  }

  @Test
  void write_morePeaksThanPixels_sharesMarks() {
    String svg = svg(Samples.peaks(3_000));
    assertWellFormed(svg);
    assertThat(svg.split("<path class=\"peak\"", -1)).hasSizeBetween(300, 400);
  }

  @Test
  void marked_someTensors_hasTheirColourTheReasonAndTheScale() {
    BitSet marked = new BitSet();
    marked.set(1);
    String svg = PlanDrawing.marked(Samples.chain(), marked, "new", 16 * Samples.MIB);
    assertWellFormed(svg);
    assertThat(svg).contains(">new</text>").contains(">15 MiB</text>");
    assertThat(counts(svg)).isEqualTo("[2, 1]");
  }

  @Test
  void write_aPlanAboveTheBound_hasALineForEach() {
    assertThat(svg(Samples.aboveTheBound()))
        .containsPattern("<path class=\"total\" .*\n.*>total</text>\n.*>7 B</text>")
        .containsPattern("<path class=\"bound\" .*\n.*>lower bound</text>\n.*>6 B</text>");
  }

  @Test
  void write_names_areAboveTheLoadCurve() {
    String svg = svg(Samples.chain());
    assertThat(svg.indexOf("conv/Relu6</text>")).isGreaterThan(svg.indexOf("<path class=\"load\""));
  }

  @Test
  void write_namesThatFit_areInTheRectangles() {
    assertThat(svg(Samples.chain())).contains(">conv/Relu6</text>").contains(">add</text>");
  }

  @Test
  void write_hostileNames_areTextAndInOrder() {
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
        .contains(">&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</text>")
        .contains(">&quot;quoted&quot; &amp; &#39;quoted&#39;</text>")
        .contains(">?gnp.exe</text>")
        .contains(">a??b</text>")
        .doesNotContain("x".repeat(200));
  }

  @Test
  void write_anyPicture_hasColoursForForcedColours() {
    assertThat(svg(Samples.chain())).contains("@media (forced-colors: active) {");
  }

  @Test
  void write_gaps_areLeftFree() {
    TensorUsageRecord record = TensorUsageRecord.of(8, 0, 9).withGaps(List.of(Gap.of(3, 5)));
    assertThat(counts(svg(Samples.of(List.of(TensorUsageRecord.of(1, 0, 9), record)))))
        .isEqualTo("[0, 3]");
  }

  @Test
  void write_inEgypt_hasTheSameDigits() {
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
  void write_manyRecords_isWellFormedAndSmall() {
    String svg = svg(Samples.random(60_000));
    assertWellFormed(svg);
    assertThat(svg.length()).isLessThan(2_500_000);
  }

  @Test
  void write_noRecords_isWellFormed() {
    assertWellFormed(svg(Samples.of(List.of())));
    assertWellFormed(svg(Samples.of(List.of(TensorUsageRecord.of(0, 5, 5)))));
  }

  @Test
  void write_longTasksAndBytes_isWellFormed() {
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

  private static String svg(PlanPicture picture) {
    return PlanDrawing.of(picture);
  }

  /** {@return the numbers of rectangles of blue and of orange tensors} */
  private static String counts(String svg) {
    return Stream.of("b", "o")
        .map(hue ->
            Pattern.compile("<path class=\"" + hue + "[0-4]\" d=\"([^\"]*)\"")
                .matcher(svg)
                .results()
                .mapToLong(path -> path.group(1).chars().filter(each -> each == 'M').count())
                .sum())
        .toList()
        .toString();
  }
}
