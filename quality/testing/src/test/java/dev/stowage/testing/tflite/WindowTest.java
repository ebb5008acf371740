package dev.stowage.testing.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # window | stride | dilation | padding | input | output
          3        | 1      | 1        | SAME    | 224   | 224
          3        | 2      | 1        | SAME    | 224   | 112
          3        | 2      | 1        | SAME    | 257   | 129
          3        | 1      | 4        | SAME    | 33    | 33
          7        | 2      | 1        | SAME    | 1     | 1
          3        | 1      | 1        | VALID   | 149   | 147
          3        | 2      | 1        | VALID   | 299   | 149
          3        | 2      | 1        | VALID   | 4     | 1
          3        | 1      | 2        | VALID   | 5     | 1
          3        | 1      | 2        | VALID   | 7     | 3
          33       | 33     | 1        | VALID   | 33    | 1
          3        | 2      | 1        | VALID   | 2     | 0
          """)
  void outputHeight_anyWindow_followsTensorFlow(
      int side, int stride, int dilation, Padding padding, int input, long output) {
    Window window = new Window(side, 1, stride, dilation, padding);

    assertThat(window.outputHeight(input)).isEqualTo(output);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # window | stride | padding | input | output
          2        | 2      | SAME    | 16    | 32
          3        | 2      | SAME    | 16    | 32
          3        | 2      | VALID   | 16    | 33
          1        | 2      | VALID   | 16    | 32
          3        | 1      | VALID   | 16    | 18
          """)
  void transposedWidth_anyWindow_followsTensorFlow(
      int side, int stride, Padding padding, int input, long output) {
    Window window = new Window(1, side, stride, 1, padding);

    assertThat(window.transposedWidth(input)).isEqualTo(output);
  }

  @Test
  void outputHeightAndWidth_windowOfOneRow_differ() {
    Window window = Window.of(1, 7).valid();

    assertThat(window.outputHeight(17)).isEqualTo(17);
    assertThat(window.outputWidth(17)).isEqualTo(11);
  }

  @Test
  void withStride_zero_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Window.of(3).withStride(0))
        .withMessage(
            "the numbers of a window must be 1 or more: height=3, width=3, stride=0, dilation=1");
  }
}
