package dev.stowage.cli.console;

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
    "0.0000000001, 1",
    "99999999999999999999, 9223372036854775807",
    "10s, 10000000000",
    "1.5m, 90000000000",
    "2h, 7200000000000",
    "9999999999h, 9223372036854775807"
  })
  void convert_times_areNanosecondsAndAtLeastOne(String seconds, long nanos) {
    assertThat(new SecondsConverter().convert(seconds)).isEqualTo(Duration.ofNanos(nanos));
  }
}
