package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.tensorflow.lite.schema.QuantizationParameters;
import org.tensorflow.lite.schema.SubGraph;
import org.tensorflow.lite.schema.Tensor;

/** The tensors of a subgraph, read on demand. */
public final class TensorTable {

  /** The index of an omitted optional input. */
  public static final int OMITTED = -1;

  private final ModelFile file;
  private final SubGraph subgraph;
  private final ConstantBuffers buffers;
  private final int count;
  private final Tensor tensor = new Tensor();

  private TensorTable(ModelFile file, SubGraph subgraph, ConstantBuffers buffers, int count) {
    this.file = file;
    this.subgraph = subgraph;
    this.buffers = buffers;
    this.count = count;
  }

  /** {@return the tensors of a subgraph, which is the current place of the file} */
  static TensorTable of(ModelFile file, ConstantBuffers buffers, SubGraph subgraph)
      throws MalformedFileException {
    int count = file.length("tensors", subgraph.tensorsLength(), Integer.BYTES, subgraph::tensors);
    return new TensorTable(file, subgraph, buffers, count);
  }

  /** {@return the number of tensors} */
  public int count() {
    return count;
  }

  /**
   * {@return the tensors of a vector of indices, without omitted ones}
   *
   * @param vector the name of the vector
   * @param claimed its length in the file
   * @param element reads an index
   * @throws MalformedFileException if the vector is not in the file, or if it has other indices
   */
  public List<Integer> indices(String vector, int claimed, IntUnaryOperator element)
      throws MalformedFileException {
    int length =
        file.length(
            vector,
            claimed,
            Integer.BYTES,
            last -> {
              int _ = element.applyAsInt(last);
            });
    List<Integer> indices = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      int index = element.applyAsInt(i);
      if (index < OMITTED || index >= count) {
        throw file.malformed(
            String.format(
                Locale.ROOT,
                "has tensor index %d, expected 0 or more and less than %d, the number of tensors, or -1 for none",
                index,
                count));
      }
      if (index != OMITTED) {
        indices.add(index);
      }
    }
    return indices;
  }

  /** Moves to a tensor, the subject of the other methods. */
  public void moveTo(int index) throws MalformedFileException {
    file.enter("tensor", index);
    file.payTable();
    subgraph.tensors(tensor, index);
  }

  /** {@return true for a constant or a variable, which keeps its value between runs} */
  public boolean isHeld() throws MalformedFileException {
    return isConstant() || isVariable();
  }

  /** {@return true for a variable: a run changes its value, and the next run sees the change} */
  public boolean isVariable() {
    return tensor.isVariable();
  }

  /** {@return true for a tensor with data in the file} */
  public boolean isConstant() throws MalformedFileException {
    long buffer = tensor.buffer();
    // In a model without buffers, all tensors have buffer 0, which means no data.
    if (buffer != 0 && buffer >= buffers.count()) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has buffer %d, expected 0 or more and less than %d, the number of buffers",
              buffer,
              buffers.count()));
    }
    return buffers.withData().get((int) buffer);
  }

  /**
   * {@return the data of a constant; empty if it is none, or if its data is after the flatbuffer}
   */
  ByteBuffer data() throws MalformedFileException {
    return isConstant()
        ? ConstantBuffers.data(file, (int) tensor.buffer())
        : ByteBuffer.allocate(0);
  }

  /** {@return the bytes of an element in TensorFlow Lite Micro; 1 if its type has no size} */
  int microElementBytes() {
    int bits = knownType().map(TfliteType::bits).orElse(OptionalInt.empty()).orElse(Byte.SIZE);
    return Math.max(1, bits / Byte.SIZE);
  }

  /** {@return the number of scales of a quantized tensor; 0 if it has none} */
  int scaleCount() throws MalformedFileException {
    QuantizationParameters quantization = tensor.quantization();
    return quantization == null
        ? 0
        : file.length(
            "scales",
            quantization.scaleLength(),
            Float.BYTES,
            last -> {
              float _ = quantization.scale(last);
            });
  }

  /**
   * {@return true if decompression supports the dimension of the scales: the first one, or the last
   * one of several scales}
   */
  boolean isScaleDimensionSupported() throws MalformedFileException {
    QuantizationParameters quantization = tensor.quantization();
    int scaleCount = scaleCount();
    int dimension = quantization == null ? 0 : quantization.quantizedDimension();
    return scaleCount == 0
        || dimension == 0
        || (scaleCount > 1 && dimension == tensor.shapeLength() - 1);
  }

  /** {@return the name; empty if it has none} */
  public String name() throws MalformedFileException {
    return file.name(tensor.nameAsByteBuffer());
  }

  /**
   * {@return the name, or the index if it has none}
   *
   * @param index the index of the current tensor
   */
  public String label(int index) throws MalformedFileException {
    String name = name();
    return name.isEmpty() ? "tensor " + index : name;
  }

  /** {@return the type of its elements; {@code VARIANT} if this program does not know the type} */
  public TfliteType type() {
    return knownType().orElse(TfliteType.VARIANT);
  }

  /** {@return a dimension; 0 if there are fewer dimensions, or if it is open} */
  public int dimension(int index) throws MalformedFileException {
    int rank = file.length("shape", tensor.shapeLength(), Integer.BYTES, tensor::shape);
    return index < rank ? Math.max(0, tensor.shape(index)) : 0;
  }

  /** {@return the dimensions; empty for a scalar} */
  public List<Integer> shape() {
    return IntStream.range(0, tensor.shapeLength()).mapToObj(tensor::shape).toList();
  }

  /** {@return the type of its elements; empty if this program does not know the type} */
  public Optional<TfliteType> knownType() {
    return TfliteType.ofCode(tensor.type());
  }

  /**
   * {@return the number of scales of its quantization, one for each channel; 0 if it has none, or
   * if it has no zero points}
   */
  public int quantizedChannels() throws MalformedFileException {
    QuantizationParameters quantization = tensor.quantization();
    if (quantization == null || quantization.zeroPointLength() == 0) {
      return 0;
    }
    return file.length("scales", quantization.scaleLength(), Float.BYTES, quantization::scale);
  }

  /** {@return the bytes: the product of the dimensions times the bits of an element, rounded up} */
  public TensorBytes bytes() throws MalformedFileException {
    return bytes(1);
  }

  /**
   * {@return the bytes in TensorFlow Lite Micro, where an element of fewer than 8 bits has a byte
   * of its own}
   *
   * <p>Source: {@code TfLiteTypeSizeOf} in memory_helpers.cc of tflite-micro, 2026-08.
   */
  public TensorBytes microBytes() throws MalformedFileException {
    return bytes(Byte.SIZE);
  }

  private TensorBytes bytes(int leastBits) throws MalformedFileException {
    OptionalInt bits = knownType().map(TfliteType::bits).orElse(OptionalInt.empty());
    if (bits.isEmpty()) {
      String type = knownType().map(Enum::name).orElse(Integer.toString(tensor.type()));
      return new TensorBytes.Unknown("type " + type);
    }
    int rank = file.length("shape", tensor.shapeLength(), Integer.BYTES, tensor::shape);
    boolean isEmpty = false;
    for (int i = 0; i < rank; i++) {
      if (tensor.shape(i) < 0) {
        return new TensorBytes.Unknown(
            String.format(Locale.ROOT, "dimension %d is %d", i, tensor.shape(i)));
      }
      isEmpty |= tensor.shape(i) == 0;
    }
    return new TensorBytes.Known(isEmpty ? 0 : product(rank, Math.max(leastBits, bits.getAsInt())));
  }

  /** {@return the bytes of a tensor with positive dimensions; a scalar has one element} */
  private long product(int rank, int bits) throws MalformedFileException {
    try {
      long elementCount = 1;
      for (int i = 0; i < rank; i++) {
        elementCount = Math.multiplyExact(elementCount, tensor.shape(i));
      }
      return bits >= Byte.SIZE
          ? Math.multiplyExact(elementCount, bits / Byte.SIZE)
          : Math.ceilDiv(elementCount, Byte.SIZE / bits);
    } catch (ArithmeticException e) {
      MalformedFileException malformed =
          file.malformed("has more than 2^63 - 1 bytes by its shape and type, expected fewer");
      malformed.initCause(e);
      throw malformed;
    }
  }
}
