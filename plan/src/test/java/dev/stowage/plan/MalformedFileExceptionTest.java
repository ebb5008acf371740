package dev.stowage.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class MalformedFileExceptionTest {

  @Test
  void aPlaceInAFile_isPartOfTheMessage() {
    var malformed = new MalformedFileException("a.csv", "line 17", "has 3 fields, expected 4");

    assertThat(malformed).hasMessage("a.csv: line 17: has 3 fields, expected 4");
    assertThat(malformed.source()).isEqualTo("a.csv");
    assertThat(malformed.place()).contains("line 17");
  }

  @Test
  void aWholeFile_hasNoPlace() {
    var malformed = new MalformedFileException("a.csv", "is empty, expected a header");

    assertThat(malformed).hasMessage("a.csv: is empty, expected a header");
    assertThat(malformed.place()).isEmpty();
  }

  @Test
  void anEmptyPlace_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MalformedFileException("a.csv", "", "is empty"))
        .withMessage("place must not be empty: source=a.csv");
  }

  @Test
  void excerpt_longTextWithControls_isShortAndPrintable() {
    assertThat(MalformedFileException.excerpt("a\tb")).isEqualTo("a?b");
    assertThat(MalformedFileException.excerpt("x".repeat(61))).isEqualTo("x".repeat(60) + "…");
    assertThat(MalformedFileException.excerpt("x".repeat(59) + "😀"))
        .isEqualTo("x".repeat(59) + "…");
  }
}
