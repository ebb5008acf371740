package dev.stowage.onnx.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import org.junit.jupiter.api.Test;

class OutputDifferenceTest {

  private static OutputDifference difference(Object one, Object other) throws OrtException {
    try (OnnxTensor first = OnnxTensor.createTensor(EngineEnvironment.get(), one);
        OnnxTensor second = OnnxTensor.createTensor(EngineEnvironment.get(), other)) {
      return OutputDifference.of(first, second);
    }
  }

  @Test
  void of_equalTensors_isIdentical() throws Exception {
    float[] values = {1, Float.NaN, Float.POSITIVE_INFINITY};
    assertThat(difference(values, values)).isEqualTo(new OutputDifference(3, true, 0));
  }

  @Test
  void of_differentNumbers_isTheLargestDifference() throws Exception {
    assertThat(difference(new float[] {1, 2, 3}, new float[] {1, 2.5f, 2.75f}))
        .isEqualTo(new OutputDifference(3, false, 0.5));
    assertThat(difference(new double[] {1, 2}, new double[] {-1, 2}))
        .isEqualTo(new OutputDifference(2, false, 2));
    assertThat(difference(new long[] {1L << 40}, new long[] {0}))
        .isEqualTo(new OutputDifference(1, false, 1L << 40));
    assertThat(difference(new byte[] {1, 2}, new byte[] {1, -2}))
        .isEqualTo(new OutputDifference(2, false, 4));
    assertThat(difference(new boolean[] {true}, new boolean[] {false}))
        .isEqualTo(new OutputDifference(1, false, 1));
  }

  @Test
  void of_zeroesOfTwoSigns_isNotIdentical() throws Exception {
    assertThat(difference(new float[] {0f}, new float[] {-0f}))
        .isEqualTo(new OutputDifference(1, false, 0));
  }

  @Test
  void of_aNumberAndNone_isTheLargestDifference() throws Exception {
    assertThat(difference(new float[] {1}, new float[] {Float.NaN}))
        .isEqualTo(new OutputDifference(1, false, Double.MAX_VALUE));
    assertThat(difference(new float[] {1}, new float[] {Float.POSITIVE_INFINITY}))
        .isEqualTo(new OutputDifference(1, false, Double.MAX_VALUE));
  }

  @Test
  void of_otherShapesOrTypes_isTheLargestDifference() throws Exception {
    assertThat(difference(new float[] {1, 2}, new float[][] {{1, 2}}))
        .isEqualTo(new OutputDifference(2, false, Double.MAX_VALUE));
    assertThat(difference(new int[] {1}, new float[] {1}))
        .isEqualTo(new OutputDifference(1, false, Double.MAX_VALUE));
  }

  @Test
  void of_texts_comparesThem() throws Exception {
    assertThat(difference(new String[] {"a"}, new String[] {"a"}).isBitIdentical()).isTrue();
    assertThat(difference(new String[] {"a"}, new String[] {"b"}).isBitIdentical()).isFalse();
  }
}
