package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time in dumps. */
class ProcessDumpTest {

  private static final String MAPPING = "== smaps\n1000-2000 rw-p 0 00:00 0 [heap]\nRss: 4 kB\n";

  @ParameterizedTest
  @CsvSource({
    "1700000000, 2023-11-14T22:13:20Z",
    "1700000000.25, 2023-11-14T22:13:20.250Z",
    "1700000000.123456789, 2023-11-14T22:13:20.123Z",
  })
  void time_secondsSince1970_areTheMoment(String seconds, Instant time) {
    assertThat(ProcessDump.parse("== time\n" + seconds + "\n" + MAPPING).time()).contains(time);
  }

  @ParameterizedTest
  @CsvSource({"''", "yesterday", "-1"})
  void time_anotherText_isNone(String text) {
    assertThat(ProcessDump.parse("== time\n" + text + "\n" + MAPPING).time()).isEmpty();
    assertThat(ProcessDump.parse(MAPPING).time()).isEmpty();
  }
}
