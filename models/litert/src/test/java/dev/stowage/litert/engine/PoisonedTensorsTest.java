package dev.stowage.litert.engine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoisonedTensorsTest {

  private static final byte PATTERN = 9;

  /*
   *   operator   0       1       2
   *   input      |-------|
   *   middle             |-------|      takes over the first 2 bytes of the input
   *   output                     |---
   */
  @Test
  void endedAndStarted_fillTheRangesThatAreNotInUse() {
    PlacedTensor input = new PlacedTensor(0, 0, 4, PlacedTensor.NEVER, 1, 2);
    PlacedTensor middle = new PlacedTensor(1, 0, 2, PlacedTensor.NEVER, 2, 0);
    PlacedTensor output = new PlacedTensor(2, 4, 2, 2, PlacedTensor.NEVER, 0);
    try (Arena arena = Arena.ofConfined()) {
      PoisonedTensors tensors =
          new PoisonedTensors(List.of(input, middle, output), 6, PATTERN, arena);
      assertThat(bytes(tensors, input)).containsOnly(PATTERN);
      tensors.segment(input).fill((byte) 1);
      tensors.segment(output).fill((byte) 3);
      tensors.started(0);
      tensors.ended(0);
      assertThat(bytes(tensors, input)).containsOnly(1);
      tensors.started(1);
      tensors.ended(1);
      assertThat(bytes(tensors, input)).containsExactly(1, 1, PATTERN, PATTERN);
      assertThat(bytes(tensors, output)).containsOnly(3);
      tensors.started(2);
      assertThat(bytes(tensors, output)).containsOnly(PATTERN);
      tensors.segment(output).fill((byte) 3);
      tensors.ended(2);
      assertThat(bytes(tensors, input)).containsOnly(PATTERN);
      assertThat(bytes(tensors, output)).containsOnly(3);
    }
  }

  private static byte[] bytes(PoisonedTensors tensors, PlacedTensor tensor) {
    return tensors.segment(tensor).toArray(JAVA_BYTE);
  }
}
