package dev.stowage.litert.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The texts between the processes. */
class EngineTextTest {

  @Test
  void parse_lineOfATensor_isTheTensor() {
    PlacedTensor tensor = new PlacedTensor(3, 1L << 40, 16, PlacedTensor.NEVER, 7, 8);
    assertThat(tensor.toLine()).isEqualTo("3 1099511627776 16 -1 7 8");
    assertThat(PlacedTensor.parse(tensor.toLine())).isEqualTo(tensor);
    assertThatThrownBy(() -> PlacedTensor.parse("1 2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected six numbers: line=1 2");
  }

  @Test
  void parse_lineOfAnOutput_isTheOutput() {
    for (List<Long> shape : List.of(List.<Long>of(), List.of(1L, 20L))) {
      EngineOutput output =
          new EngineOutput("a name\nof two lines", "FLOAT32", shape, 20, false, 1.5e-7, 3);
      assertThat(EngineOutput.parse(output.toLine())).isEqualTo(output);
    }
    assertThatThrownBy(() -> EngineOutput.parse("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected seven fields: line=x");
  }

  @Test
  void printTo_unterminatedTextBefore_isALineOfItsOwn() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    out.print("text of a kernel");
    EngineLine line = new EngineLine(EngineLine.Kind.END, "2");
    line.printTo(out);
    out.print("more text");
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines().map(EngineLine::parse))
        .containsExactly(Optional.empty(), Optional.of(line), Optional.empty());
  }

  @Test
  void parse_lineOfTheEngine_isEmpty() {
    EngineLine line = EngineLine.encoded(EngineLine.Kind.REFUSED, "über\nall");
    assertThat(EngineLine.parse(line.toString())).hasValue(line);
    assertThat(line.text()).isEqualTo("über?all");
    assertThat(EngineLine.parse("INFO: Created TensorFlow Lite XNNPACK delegate for CPU."))
        .isEmpty();
    assertThat(EngineLine.parse(new EngineLine(EngineLine.Kind.END, "").toString()))
        .hasValue(new EngineLine(EngineLine.Kind.END, ""));
  }
}
