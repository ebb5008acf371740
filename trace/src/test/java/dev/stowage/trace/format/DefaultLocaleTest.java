package dev.stowage.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages have ASCII digits in every default locale. */
class DefaultLocaleTest {

  private final Locale before = Locale.getDefault();

  @BeforeEach
  @SuppressWarnings("DefaultLocale")
  void useArabicDigits() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    assertThat(String.format("%d", 12)).isEqualTo("\u0661\u0662");
  }

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  @Test
  void allocationEvent_negativeBytes_isNamedInAsciiDigits() {
    assertThatThrownBy(() -> new AllocationEvent.Allocate("a", -1234, 0, 0, List.of()))
        .hasMessage("allocation 'a' has a negative size: bytes=-1234");
  }
}
