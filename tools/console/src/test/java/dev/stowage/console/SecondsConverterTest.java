package dev.stowage.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SecondsConverterTest {

  @ParameterizedTest
  @CsvSource({
    "10, 10000000000",
    "0.5, 500000000",
    ".25, 250000000",
    "1.0000000001, 1000000001",
    "0.0000000001, 1",
    "99999999999999999999, 9223372036854775807"
  })
  void convert_seconds_areNanosecondsRoundedUp(String seconds, long nanos) {
    assertThat(new SecondsConverter().convert(seconds)).isEqualTo(Duration.ofNanos(nanos));
  }
}
