package dev.stowage.bench;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** Inputs of any length for a {@link SequenceModel}, which share one buffer. */
final class SequenceInputs {

  private final int width;
  private final FloatBuffer values;

  SequenceInputs(int width, int longest) {
    this.width = width;
    values =
        ByteBuffer.allocateDirect(4 * width * longest)
            .order(ByteOrder.nativeOrder())
            .asFloatBuffer();
    for (int index = 0; index < values.capacity(); index++) {
      values.put(index, index % 17 / 17f);
    }
  }

  OnnxTensor ofLength(int length) throws OrtException {
    return OnnxTensor.createTensor(
        OrtEnvironment.getEnvironment(),
        values.slice(0, length * width),
        new long[] {length, width});
  }
}
