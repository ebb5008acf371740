package dev.stowage.onnx.symbolic;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import dev.stowage.onnx.graph.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The numbers in a constant of the file. */
final class ElementNumbers {

  private ElementNumbers() {}

  /** {@return true for types of integers and truth values} */
  static boolean isInteger(int elementCode) {
    return ElementType.ofCode(elementCode)
        .filter(type ->
            switch (type) {
              case UINT8, INT8, UINT16, INT16, INT32, INT64, BOOL, UINT32, UINT64 -> true;
              default -> false;
            })
        .isPresent();
  }

  /** {@return a constant, with its elements if there are few and they are in the file} */
  static SymbolicValue valueOf(TensorProto tensor) {
    long[] dimensions = tensor.getDimsList().stream().mapToLong(Long::longValue).toArray();
    long count = 1;
    for (long dimension : dimensions) {
      if (dimension < 0) {
        return SymbolicValue.unknown(tensor.getDataType(), "");
      }
      count =
          dimension == 0
              ? 0
              : Math.multiplyHigh(count, dimension) == 0
                  ? Math.max(0, count * dimension)
                  : Long.MAX_VALUE;
    }
    SymbolicValue value =
        SymbolicValue.of(tensor.getDataType(), SymbolicShape.ofConstants(dimensions));
    if (count > SymbolicContents.MAX_COUNT
        || tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL) {
      return value;
    }
    return value.withContents(numbers(tensor, (int) count).map(SymbolicContents.Listed::new));
  }

  private static Optional<List<Quantity>> numbers(TensorProto tensor, int count) {
    List<Quantity> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Optional<Quantity> number = tensor.hasRawData() ? ofRaw(tensor, i) : ofList(tensor, i);
      if (number.isEmpty()) {
        return Optional.empty();
      }
      numbers.add(number.get());
    }
    return Optional.of(numbers);
  }

  private static Optional<Quantity> ofList(TensorProto tensor, int i) {
    return switch (ElementType.ofCode(tensor.getDataType()).orElse(ElementType.STRING)) {
      case FLOAT ->
          i < tensor.getFloatDataCount()
              ? Quantity.ofDouble(tensor.getFloatData(i))
              : Optional.empty();
      case DOUBLE ->
          i < tensor.getDoubleDataCount()
              ? Quantity.ofDouble(tensor.getDoubleData(i))
              : Optional.empty();
      case INT64 ->
          i < tensor.getInt64DataCount()
              ? Optional.of(Quantity.of(tensor.getInt64Data(i)))
              : Optional.empty();
      case UINT8, INT8, UINT16, INT16, INT32, BOOL ->
          i < tensor.getInt32DataCount()
              ? Optional.of(Quantity.of(tensor.getInt32Data(i)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<Quantity> ofRaw(TensorProto tensor, int i) {
    Optional<ElementType> type = ElementType.ofCode(tensor.getDataType());
    OptionalInt bits = type.map(ElementType::bits).orElse(OptionalInt.empty());
    ByteString raw = tensor.getRawData();
    if (bits.isEmpty() || bits.getAsInt() < Byte.SIZE) {
      return Optional.empty();
    }
    int bytes = bits.getAsInt() / Byte.SIZE;
    if (i >= raw.size() / bytes) {
      return Optional.empty();
    }
    ByteBuffer buffer = raw.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    int at = buffer.position() + i * bytes;
    return switch (type.get()) {
      case FLOAT -> Quantity.ofDouble(buffer.getFloat(at));
      case DOUBLE -> Quantity.ofDouble(buffer.getDouble(at));
      case INT64 -> Optional.of(Quantity.of(buffer.getLong(at)));
      case INT32 -> Optional.of(Quantity.of(buffer.getInt(at)));
      case INT16 -> Optional.of(Quantity.of(buffer.getShort(at)));
      case UINT16 -> Optional.of(Quantity.of(Short.toUnsignedInt(buffer.getShort(at))));
      case INT8 -> Optional.of(Quantity.of(buffer.get(at)));
      case UINT8, BOOL -> Optional.of(Quantity.of(Byte.toUnsignedInt(buffer.get(at))));
      default -> Optional.empty();
    };
  }
}
