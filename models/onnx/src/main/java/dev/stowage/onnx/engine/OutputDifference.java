package dev.stowage.onnx.engine;

import ai.onnxruntime.OnnxSequence;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import dev.stowage.onnx.graph.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The difference of two values.
 *
 * @param elementCount the number of elements
 * @param isBitIdentical true if they have the same shape and the same bits
 * @param maxAbsDifference the largest difference of two elements; {@link Double#MAX_VALUE} if only
 *     one of two is NaN, or if the values cannot be compared
 */
record OutputDifference(long elementCount, boolean isBitIdentical, double maxAbsDifference) {

  /** {@return the difference of two values} */
  static OutputDifference of(OnnxValue one, OnnxValue other) throws OrtException {
    if (one instanceof OnnxTensor first && other instanceof OnnxTensor second) {
      return ofTensors(first, second);
    }
    if (one instanceof OnnxSequence first && other instanceof OnnxSequence second) {
      return ofSequences(first, second);
    }
    return ofOthers(one.getValue(), other.getValue());
  }

  private static OutputDifference ofTensors(OnnxTensor one, OnnxTensor other) throws OrtException {
    long count = one.getInfo().getNumElements();
    if (one.getInfo().onnxType != other.getInfo().onnxType
        || !Arrays.equals(one.getInfo().getShape(), other.getInfo().getShape())) {
      return new OutputDifference(count, false, Double.MAX_VALUE);
    }
    ElementType type = EngineTypes.elementType(one.getInfo()).orElse(ElementType.STRING);
    if (type == ElementType.STRING) {
      return ofOthers(one.getValue(), other.getValue());
    }
    ByteBuffer first = one.getByteBuffer().order(ByteOrder.nativeOrder());
    ByteBuffer second = other.getByteBuffer().order(ByteOrder.nativeOrder());
    if (first.equals(second)) {
      return new OutputDifference(count, true, 0);
    }
    double most = 0;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, difference(element(first, i, type), element(second, i, type)));
    }
    return new OutputDifference(count, false, most);
  }

  private static double difference(double one, double other) {
    if (Double.compare(one, other) == 0) {
      return 0;
    }
    double difference = Math.abs(one - other);
    return Double.isFinite(difference) ? difference : Double.MAX_VALUE;
  }

  private static double element(ByteBuffer bytes, int i, ElementType type) {
    return switch (type) {
      case FLOAT -> bytes.getFloat(i * Float.BYTES);
      case DOUBLE -> bytes.getDouble(i * Double.BYTES);
      case FLOAT16 -> Float.float16ToFloat(bytes.getShort(i * Short.BYTES));
      case BFLOAT16 -> Float.intBitsToFloat(bytes.getShort(i * Short.BYTES) << Short.SIZE);
      case INT64, UINT64 -> bytes.getLong(i * Long.BYTES);
      case INT32 -> bytes.getInt(i * Integer.BYTES);
      case UINT32 -> Integer.toUnsignedLong(bytes.getInt(i * Integer.BYTES));
      case INT16 -> bytes.getShort(i * Short.BYTES);
      case UINT16 -> Short.toUnsignedInt(bytes.getShort(i * Short.BYTES));
      case UINT8 -> Byte.toUnsignedInt(bytes.get(i));
      default -> bytes.get(i);
    };
  }

  private static OutputDifference ofSequences(OnnxSequence one, OnnxSequence other)
      throws OrtException {
    List<? extends OnnxValue> first = one.getValue();
    List<? extends OnnxValue> second = other.getValue();
    try {
      long count = 0;
      boolean isIdentical = first.size() == second.size();
      double most = isIdentical ? 0 : Double.MAX_VALUE;
      for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
        OutputDifference element = of(first.get(i), second.get(i));
        count += element.elementCount;
        isIdentical &= element.isBitIdentical;
        most = Math.max(most, element.maxAbsDifference);
      }
      return new OutputDifference(count, isIdentical, most);
    } finally {
      OnnxValue.close(first);
      OnnxValue.close(second);
    }
  }

  private static OutputDifference ofOthers(Object one, Object other) {
    boolean isEqual = Objects.deepEquals(one, other);
    return new OutputDifference(1, isEqual, isEqual ? 0 : Double.MAX_VALUE);
  }
}
