package dev.stowage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.memory.device.SimulatedDevice;
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
  void simulatedDevice_negativeMemory_isNamedInAsciiDigits() {
    assertThatThrownBy(() -> new SimulatedDevice("gpu", -1234, 256))
        .hasMessage("device 'gpu' has negative memory: totalBytes=-1234");
  }
}
