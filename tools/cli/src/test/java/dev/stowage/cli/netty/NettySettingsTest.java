package dev.stowage.cli.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NettySettingsTest {

  @Test
  void parse_noText_hasTheDefaults() {
    NettySettings settings = NettySettings.parse(" ");

    assertThat(settings).hasToString("");
    assertThat(settings.paste()).isEqualTo("-Dio.netty.allocator.type=adaptive");
    assertThat(settings.changes()).isZero();
  }

  @Test
  void parse_argumentsOfJava_keepsThem() {
    NettySettings settings =
        NettySettings.parse(
            "-Dio.netty.allocator.type=pooled -Dio.netty.allocator.maxOrder=7"
                + " io.netty.availableProcessors=3 -Xmx2g -XX:MaxDirectMemorySize=24m");

    assertThat(settings)
        .hasToString("-Dio.netty.allocator.type=pooled -Dio.netty.allocator.maxOrder=7");
    assertThat(settings.paste()).isEqualTo(settings.toString());
    assertThat(settings.changes()).isEqualTo(2);
    assertThat(settings.properties())
        .containsExactly("io.netty.allocator.maxOrder", "io.netty.allocator.type");
    assertThat(settings.arguments())
        .containsExactly(
            "-Dio.netty.allocator.maxOrder=7",
            "-Dio.netty.allocator.type=pooled",
            "-Dio.netty.availableProcessors=3",
            "-XX:MaxDirectMemorySize=24m",
            "-Xmx2g");
  }

  @Test
  void withLimit_ownLimitOfNetty_isReplaced() {
    assertThat(NettySettings.parse("-Dio.netty.maxDirectMemory=5").withLimit(7).arguments())
        .containsExactly("-Dio.netty.allocator.type=adaptive", "-XX:MaxDirectMemorySize=7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "maxOrder=7; 'maxOrder=7' is not a setting of Netty, expected one such as"
            + " -Dio.netty.allocator.type=pooled",
        "-Dio.netty.allocator.type=fast; io.netty.allocator.type is 'fast', expected adaptive, pooled"
            + " or unpooled"
      })
  void parse_otherText_isAnError(String text, String message) {
    assertThatThrownBy(() -> NettySettings.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
