package dev.stowage.plan;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TensorUsesTest {

  @Test
  void create_negativeProducer_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TensorUses(OptionalInt.of(-1), List.of()))
        .withMessage("producer must not be negative: producer=-1");
  }

  @Test
  void create_consumersThatDoNotAscend_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TensorUses(OptionalInt.of(0), List.of(3, 5, 5)))
        .withMessage("consumers must be 0 or more and ascend: consumers=[3, 5, 5]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TensorUses(OptionalInt.of(0), List.of(-1, 5)))
        .withMessage("consumers must be 0 or more and ascend: consumers=[-1, 5]");
  }
}
