package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.plan.TensorScope;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages have ASCII digits in every default locale. */
class DefaultLocaleTest {

  private final Locale before = Locale.getDefault();

  @BeforeEach
  void useArabicDigits() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    assertThat(String.format("%d", 12)).isEqualTo("\u0661\u0662");
  }

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  @Test
  void read_tooFewBytes_countsThemInAsciiDigits() {
    assertThatThrownBy(() ->
            TfliteReader.read("short.tflite", ByteBuffer.allocate(3), TensorScope.INTERMEDIATES))
        .hasMessage(
            "short.tflite: the file has 3 bytes, expected a TensorFlow Lite model of at least 8");
  }
}
