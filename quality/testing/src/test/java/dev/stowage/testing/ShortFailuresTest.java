package dev.stowage.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The messages of failures, as Maven prints them. */
class ShortFailuresTest {

  private static String lines(String changed) {
    return IntStream.range(0, 5000)
        .mapToObj(line -> line == 3000 ? changed : "line " + line)
        .collect(Collectors.joining("\n"));
  }

  private static String message(Throwable failure) {
    return String.valueOf(ShortFailures.shortened(failure).getMessage());
  }

  @Test
  void shortened_longTexts_showsTheFirstDifference() {
    Throwable failure =
        catchThrowable(
            () -> assertThat(lines("x".repeat(9000) + "a")).isEqualTo(lines("x".repeat(9000))));

    String message = message(failure);

    assertThat(message)
        .startsWith("The first difference is in line 3001, column 9001.\nexpected, 5000 lines:\n")
        .contains("\n  line 2999\n  …" + "x".repeat(200) + "a\n  line 3001\n");
    assertThat(message.lines().count()).isLessThanOrEqualTo(40);
  }

  @Test
  void shortened_longDescriptions_areCut() {
    String problem = "record[bytes=1], ".repeat(1000);
    Throwable failure = catchThrowable(() -> assertThat(1).as(problem).isEqualTo(2));

    assertThat(message(failure))
        .startsWith("[record[bytes=1], ")
        .endsWith(
            "…\nThe first difference is in line 1, column 1.\nexpected, 1 lines:\n  2\nbut was, 1 lines:\n  1");
  }

  @Test
  void shortened_manyLines_areCut() {
    AssertionError failure = new AssertionError(lines("changed"));

    assertThat(message(failure))
        .startsWith("line 0\n")
        .endsWith("\nline 38\n… and 4961 more lines");
  }

  @Test
  void shortened_shortFailure_isTheSame() {
    Throwable failure = catchThrowable(() -> assertThat("a").isEqualTo("b"));

    assertThat(message(failure)).isEqualTo(failure.getMessage());
  }
}
