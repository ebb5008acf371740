package dev.stowage.litert.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LiteOutputTest {

  private static LiteOutput output(LiteType type, List<Integer> shape, MemorySegment data) {
    int code = type == LiteType.FLOAT32 ? 1 : 9;
    return new LiteOutput("x", type.name(), code, shape, data);
  }

  private static MemorySegment floats(float... values) {
    return MemorySegment.ofArray(values);
  }

  @Test
  void maxAbsDifference_numbers_isTheLargestOne() {
    LiteOutput one = output(LiteType.FLOAT32, List.of(3), floats(1, 2, Float.NaN));
    assertThat(one.elementCount()).isEqualTo(3);
    assertThat(one.maxAbsDifference(one)).isZero();
    LiteOutput near = output(LiteType.FLOAT32, List.of(3), floats(1.5f, 4, Float.NaN));
    assertThat(one.isIdenticalTo(near)).isFalse();
    assertThat(one.maxAbsDifference(near)).isEqualTo(2);
    LiteOutput notANumber = output(LiteType.FLOAT32, List.of(3), floats(1, 2, 3));
    assertThat(one.maxAbsDifference(notANumber)).isEqualTo(Double.MAX_VALUE);
  }

  @Test
  void maxAbsDifference_otherShapesOrTypes_cannotBeCompared() {
    LiteOutput one = output(LiteType.FLOAT32, List.of(2), floats(1, 2));
    assertThat(one.maxAbsDifference(output(LiteType.FLOAT32, List.of(2, 1), floats(1, 2))))
        .isEqualTo(Double.MAX_VALUE);
    assertThat(one.maxAbsDifference(output(LiteType.INT8, List.of(2), floats(1, 2))))
        .isEqualTo(Double.MAX_VALUE);
  }

  @Test
  void isConstant_severalElements_comparesAllOfThem() {
    assertThat(output(LiteType.FLOAT32, List.of(3), floats(2, 2, 2)).isConstant()).isTrue();
    assertThat(output(LiteType.FLOAT32, List.of(3), floats(2, 2, 3)).isConstant()).isFalse();
    assertThat(output(LiteType.FLOAT32, List.of(1), floats(2)).isConstant()).isFalse();
    assertThat(output(LiteType.FLOAT32, List.of(0), floats()).isConstant()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void setRandom_eachType_hasTheNumbersThatKernelsSupport(LiteType type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(type.bytes() * 1_000L);
      Random random = new Random(3);
      for (long at = 0; at < data.byteSize(); at += type.bytes()) {
        type.setRandom(data, at, random, false);
      }
      double least = Double.MAX_VALUE;
      double most = -Double.MAX_VALUE;
      for (long at = 0; at < data.byteSize(); at += type.bytes()) {
        least = Math.min(least, type.number(data, at));
        most = Math.max(most, type.number(data, at));
      }
      switch (type) {
        case INT8 -> assertThat(new double[] {least, most}).containsExactly(-128, 127);
        case UINT8 -> assertThat(new double[] {least, most}).containsExactly(0, 255);
        case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> {
          assertThat(least).isBetween(0.0, 0.01);
          assertThat(most).isBetween(0.99, 1.0);
        }
        default -> assertThat(new double[] {least, most}).containsExactly(0, 1);
      }
    }
  }
}
