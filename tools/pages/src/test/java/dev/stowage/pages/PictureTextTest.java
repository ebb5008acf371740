package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PictureTextTest {

  @ParameterizedTest
  @CsvSource({
    "0,0 bytes",
    "1,1 byte",
    "1023,'1,023 bytes'",
    "1024,'1,024 bytes (1.000 KiB)'",
    "1605632,'1,605,632 bytes (1.531 MiB)'",
    "9223372036854775807,'9,223,372,036,854,775,807 bytes (8.000 EiB)'"
  })
  void exact_ofBytes_tellsThemTwice(long bytes, String text) {
    assertThat(ByteUnit.exact(bytes)).isEqualTo(text);
  }

  @Test
  void percent_ofNothing_isNone() {
    assertThat(Numbers.percent(0, 0)).isEqualTo("0.0 %");
  }

  @Test
  void percent_ofMany_isGrouped() {
    assertThat(Numbers.percent(10_276, 1_000)).isEqualTo("1,027.6 %");
  }

  @Test
  void escaped_hostileName_isTextWithoutControlCharacters() {
    assertThat(MarkupText.escaped("<a b=\"c\">'&\u0001\ud800😀\n"))
        .isEqualTo("&lt;a b=&quot;c&quot;&gt;&#39;&amp;\ufffd\ufffd😀\n");
  }

  @ParameterizedTest
  @CsvSource({
    "conv/Relu6,66,conv/Relu6",
    "block/conv/Relu6,66,bloc…Relu6",
    "expanded_conv_14/depthwise,108,expa…14/depthwise",
    "expanded_conv_14/depthwise,84,…14/depthwise",
    "expanded_conv_14/depthwise,62,expa…wise",
    "block/conv/Relu6,40,''"
  })
  void fittingName_ofALongName_losesItsMiddleAndKeepsDigits(
      String name, double room, String fitting) {
    assertThat(FittingName.of(name, room)).isEqualTo(fitting);
  }

  /** Letters of 6 pixels and a margin of 6: 66 pixels are ten letters, or five wide ones. */
  @ParameterizedTest
  @CsvSource({
    "重みの層,54,重みの層",
    "畳み込み層の重み,66,畳み…重み",
    "畳み込み層の重み,102,畳み込み層の重み",
    "🚀🚀🚀🚀🚀🚀,66,🚀🚀…🚀🚀",
    "שכבת_קלט,54,שכבת_קלט",
    "ééééééé,48,ééééééé",
    "MMMMMMMMMM,66,MMM…MMM",
    "重みの層,42,''"
  })
  void fittingName_ofOtherScripts_countsTheWidth(String name, double room, String fitting) {
    assertThat(FittingName.of(name, room)).isEqualTo(fitting);
  }

  @Test
  void fittingName_of10000Letters_keepsItsEnds() {
    String name = "begin" + "x".repeat(9_990) + "end12";
    assertThat(FittingName.of(name, 66)).isEqualTo("begi…end12");
    assertThat(FittingName.of("重".repeat(10_000), 66)).isEqualTo("重重…重重");
  }

  @Test
  void fittingName_ofAnyText_isNotWiderThanTheRoom() {
    Random random = new Random(1);
    for (int run = 0; run < 20_000; run++) {
      int[] letters =
          random
              .ints(random.nextInt(40), 0, 5)
              .map(script -> "a7M重́".codePointAt(script))
              .toArray();
      String name = new String(letters, 0, letters.length);
      int room = random.nextInt(200);
      String fitting = FittingName.of(name, room);
      int width = fitting.codePoints().map(LetterWidth::of).sum();
      assertThat(3 * width)
          .as("%s in %d: %s", name, room, fitting)
          .isLessThanOrEqualTo(Math.max(0, room - 6));
    }
  }

  @Test
  void ticks_betweenNumbers_areRound() {
    assertThat(Ticks.between(0, 6.3, 6, 0)).containsExactly(0.0, 2.0, 4.0, 6.0);
    assertThat(Ticks.between(0, 2, 12, 1)).containsExactly(0.0, 1.0, 2.0);
    assertThat(Ticks.between(7, 7, 12, 1)).containsExactly(7.0);
  }
}
