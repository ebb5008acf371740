package dev.stowage.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteCountTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|0 bytes",
        "1|1 byte",
        "1023|1,023 bytes",
        "1024|1 KiB",
        "1536|1.5 KiB",
        "10234|9.99 KiB",
        "10235|10 KiB",
        "102400|100 KiB",
        "1048524|1023.9 KiB",
        "1048525|1 MiB",
        "1048575|1 MiB",
        "1048576|1 MiB",
        "314576896|300 MiB",
        "346752000|330.7 MiB",
        "2140292096|1.99 GiB",
        "150323855360|140 GiB",
        "9223372036854775807|8 EiB"
      })
  void text_bytes_inTheLargestUnit(long bytes, String text) {
    assertThat(ByteCount.text(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|1 byte",
        "512|512 bytes",
        "1024|1 KiB (1,024 bytes)",
        "268435456|256 MiB (268,435,456 bytes)",
        "322122752|307.2 MiB (322,122,752 bytes)"
      })
  void exact_bytes_inTheLargestUnitAndInBytes(long bytes, String text) {
    assertThat(ByteCount.exact(bytes)).isEqualTo(text);
  }
}
