package dev.stowage.memory.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TensorShapeTest {

  @Test
  void elementCount_ofAnyRank_isTheProduct() {
    assertThat(TensorShape.of().elementCount()).isOne();
    assertThat(TensorShape.of(2, 3, 4).elementCount()).isEqualTo(24);
    assertThat(TensorShape.of(2, 0, 4).elementCount()).isZero();
    assertThat(TensorShape.of(1L << 40, 1L << 40, 0).elementCount()).isZero();
    assertThat(TensorShape.of(2, 3, 5).byteCount(DataType.INT4)).isEqualTo(15);
    assertThat(TensorShape.of(2, 3)).hasToString("[2, 3]").isEqualTo(TensorShape.of(2, 3));
  }

  @Test
  void of_impossibleShape_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TensorShape.of(2, -1))
        .withMessage("dimensions must not be negative: dimensions=[2, -1]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TensorShape.of(1L << 32, 1L << 31))
        .withMessage(
            "a shape must not have more than 2^63-1 elements: dimensions=[4294967296, 2147483648]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TensorShape.of(1L << 61).byteCount(DataType.FLOAT32));
  }

  @Test
  void elementIndex_ofAPlace_countsTheLastDimensionFirst() {
    TensorShape shape = TensorShape.of(2, 3, 4);
    assertThat(shape.elementIndex(0, 0, 3)).isEqualTo(3);
    assertThat(shape.elementIndex(1, 2, 3)).isEqualTo(23);
    assertThat(TensorShape.of().elementIndex()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> shape.elementIndex(1, 2))
        .withMessage("shape [2, 3, 4] needs 3 indexes: indexes=[1, 2]");
    for (long[] outside : new long[][] {{2, 0, 0}, {0, 3, 0}, {0, 0, 4}, {0, -1, 0}}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> shape.elementIndex(outside))
          .withMessageStartingWith("shape [2, 3, 4] has no element at [");
    }
  }
}
