package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import java.util.Locale;
import java.util.OptionalInt;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.SubGraph;
import org.tensorflow.lite.schema.Tensor;

/** A subgraph's tensors, each read when it is asked for. */
final class TensorTable {

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

  static TensorTable of(ModelFile file, Model model, SubGraph subgraph)
      throws MalformedFileException {
    ConstantBuffers buffers = ConstantBuffers.of(file, model);
    file.enter("subgraph", 0);
    int count = file.length("tensors", subgraph.tensorsLength(), Integer.BYTES, subgraph::tensors);
    return new TensorTable(file, subgraph, buffers, count);
  }

  /** {@return how many tensors there are} */
  int count() {
    return count;
  }

  /** Moves to a tensor; what follows is about it. */
  void moveTo(int index) throws MalformedFileException {
    file.enter("tensor", index);
    file.payTable();
    subgraph.tensors(tensor, index);
  }

  /** {@return whether it keeps its value between tasks and runs: a constant or a variable} */
  boolean isHeld() throws MalformedFileException {
    long buffer = tensor.buffer();
    // Models without any buffers leave every tensor's at 0, which is the one without data.
    if (buffer != 0 && buffer >= buffers.count()) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "its buffer is %d, expected one of the model's %d buffers",
              buffer,
              buffers.count()));
    }
    return tensor.isVariable() || buffers.withData().get((int) buffer);
  }

  /** {@return its name; empty where it has none} */
  String name() throws MalformedFileException {
    return file.name(tensor.nameAsByteBuffer());
  }

  /** {@return its bytes: the dimensions' product times the bits of an element, rounded up} */
  TensorBytes bytes() throws MalformedFileException {
    int code = tensor.type();
    OptionalInt bits = ElementType.ofCode(code).map(ElementType::bits).orElse(OptionalInt.empty());
    if (bits.isEmpty()) {
      String type = ElementType.ofCode(code).map(Enum::name).orElse(Integer.toString(code));
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
    return new TensorBytes.Known(isEmpty ? 0 : product(rank, bits.getAsInt()));
  }

  /** {@return the bytes of a tensor whose dimensions all are positive; of a scalar: one element} */
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
          file.malformed("its shape and type need more bytes than 2^63 - 1, expected fewer");
      malformed.initCause(e);
      throw malformed;
    }
  }
}
