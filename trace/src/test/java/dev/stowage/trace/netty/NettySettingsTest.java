package dev.stowage.trace.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.trace.format.RecordedProgram;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NettySettingsTest {

  private static NettySettings recorded(String settings) {
    return NettySettings.recorded(new RecordedProgram(settings, Set.of(), OptionalLong.empty()));
  }

  @Test
  void parse_noText_hasTheDefaults() {
    NettySettings settings = NettySettings.parse(" ");

    assertThat(settings).hasToString("").isEqualTo(NettySettings.defaults());
    assertThat(settings.type()).isEqualTo("adaptive");
    assertThat(settings.arguments()).isEqualTo("-Dio.netty.allocator.type=adaptive");
    assertThat(settings.count()).isZero();
    assertThat(settings.withoutEffect()).isEmpty();
  }

  @Test
  void parse_argumentsOfJava_hasTheirValues() {
    NettySettings settings =
        NettySettings.parse(
            "-Dio.netty.allocator.type=pooled -Dio.netty.allocator.maxOrder=7"
                + " io.netty.availableProcessors=3 -Xmx2g -XX:MaxDirectMemorySize=24m");

    assertThat(settings)
        .hasToString("-Dio.netty.allocator.type=pooled -Dio.netty.allocator.maxOrder=7");
    assertThat(settings.processors()).isEqualTo(3);
    assertThat(settings.numDirectArenas()).isEqualTo(4);
    assertThat(settings.count()).isEqualTo(2);
  }

  @Test
  void isLowMemory_heapOf512Mebibytes_isTheDefault() {
    assertThat(NettySettings.parse("-Xmx512m").isLowMemory()).isTrue();
    assertThat(NettySettings.parse("-Xmx513m").isLowMemory()).isFalse();
    assertThat(NettySettings.parse("-Xmx512m -Dio.netty.allocator.lowMemory=false").isLowMemory())
        .isFalse();
  }

  @Test
  void onMachineOf_aRecording_keepsTheProcessorsButNotTheSettings() {
    NettySettings settings =
        NettySettings.parse("-Dio.netty.allocator.type=pooled")
            .onMachineOf(
                recorded("-Dio.netty.availableProcessors=5 -Dio.netty.allocator.maxOrder=4"));

    assertThat(settings.processors()).isEqualTo(5);
    assertThat(settings).hasToString("-Dio.netty.allocator.type=pooled");
  }

  @Test
  void recorded_valuesThatNettyRejects_haveTheirDefaults() {
    assertThat(recorded("-Dio.netty.allocator.maxOrder=99 -Dio.netty.allocator.pageSize=16384"))
        .hasToString("-Dio.netty.allocator.pageSize=16384");
  }

  @Test
  void withoutEffect_settingsOfTheOtherAllocator_namesThem() {
    assertThat(
            NettySettings.parse(
                    "-Dio.netty.allocator.maxOrder=7 -Dio.netty.allocator.numHeapArenas=1")
                .withoutEffect())
        .containsExactly(
            "io.netty.allocator.maxOrder has no effect: it is a setting of the pooled allocator, but"
                + " the type is adaptive",
            "io.netty.allocator.numHeapArenas has no known effect on direct buffers");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "-Dio.netty.allocator.type=fast;io.netty.allocator.type is 'fast', expected adaptive, pooled"
            + " or unpooled",
        "-Dio.netty.allocator.maxOrder=15;io.netty.allocator.maxOrder is 15, expected a number from 3"
            + " to 14",
        "-Dio.netty.allocator.maxOrder=x;io.netty.allocator.maxOrder is 'x', expected a whole number",
        "-Dio.netty.allocator.pageSize=5000;pageSize is 5000 and maxOrder is 9, expected a power of"
            + " two and chunks of at most 1 GiB",
        "max_split_size_mb:64;'max_split_size_mb:64' is not a setting of Netty, expected one such as"
            + " -Dio.netty.allocator.type=pooled",
        "-Xmx99999999999g;'-Xmx99999999999g' has more than 2^63 - 1 bytes"
      })
  void parse_wrongSettings_throws(String text, String message) {
    assertThatThrownBy(() -> NettySettings.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
