package dev.stowage.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class ByteCountConverterTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1048576, 1048576",
    "12B, 12",
    "64KiB, 65536",
    "64KB, 64000",
    "1MiB, 1048576",
    "9250MB, 9250000000",
    "9.25GB, 9250000000",
    "9.25GiB, 9932111872",
    "0.1KiB, 102",
    "2TB, 2000000000000",
    "8388607TiB, 9223370937343148032",
    "9223372036854775807, 9223372036854775807"
  })
  void convert_size_isANumberOfBytesRoundedDown(String size, long bytes) {
    assertThat(new ByteCountConverter().convert(size)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1.5", "1.5B", ".5GiB", "1.GiB", "MiB", "-1", "1 GiB", "1gib", "1e9"})
  void convert_otherText_isRejected(String text) {
    assertThatThrownBy(() -> new ByteCountConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "'"
                + text
                + "' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"8388608TiB", "9223372036854775808"})
  void convert_tooLarge_isRejected(String text) {
    assertThatThrownBy(() -> new ByteCountConverter().convert(text))
        .isInstanceOf(TypeConversionException.class);
  }
}
