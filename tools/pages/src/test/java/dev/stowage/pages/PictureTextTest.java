package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
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
    "block/conv/Relu6,66,bl…v/Relu6",
    "expanded_conv_14/depthwise,108,expa…14/depthwise",
    "expanded_conv_14/depthwise,62,ex…thwise",
    "block/conv/Relu6,40,''"
  })
  void fittingName_ofALongName_keepsItsEnds(String name, double room, String fitting) {
    assertThat(FittingName.of(name, room)).isEqualTo(fitting);
  }

  @Test
  void ticks_betweenNumbers_areRound() {
    assertThat(Ticks.between(0, 6.3, 6, 0)).containsExactly(0.0, 2.0, 4.0, 6.0);
    assertThat(Ticks.between(0, 2, 12, 1)).containsExactly(0.0, 1.0, 2.0);
    assertThat(Ticks.between(7, 7, 12, 1)).containsExactly(7.0);
  }
}
