package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  void dimension_negative_isNamedInAsciiDigits() {
    assertThatThrownBy(() -> OnnxOptions.defaults().withDimension("batch", -1234))
        .hasMessage("dimension 'batch' is -1234, expected 0 or more");
  }
}
