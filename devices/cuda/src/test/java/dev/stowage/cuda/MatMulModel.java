package dev.stowage.cuda;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The file of a model {@code y = x · w0 · w1 …} for any number of rows of {@code x}. */
final class MatMulModel {

  /*
   * The messages of ONNX are written by hand, so that GpuCheck needs no further jars. A field is its number
   * and type, then its value: a number of seven bits a byte, or a length and so many bytes.
   */

  private static final int FLOAT = 1;
  private static final int IR_VERSION = 8;
  private static final int OPERATORS_VERSION = 13;
  private static final int BYTES_FOLLOW = 2;

  private final ByteArrayOutputStream fields = new ByteArrayOutputStream();

  private MatMulModel() {}

  /**
   * {@return a model}
   *
   * @param layers the number of products
   * @param columns the columns of all tensors, and the rows of the weights
   */
  static byte[] of(int layers, int columns) {
    MatMulModel graph = new MatMulModel();
    for (int layer = 0; layer < layers; layer++) {
      String input = layer == 0 ? "x" : "t" + layer;
      String output = layer == layers - 1 ? "y" : "t" + (layer + 1);
      graph.with(
          1,
          new MatMulModel().with(1, input).with(1, "w" + layer).with(2, output).with(4, "MatMul"));
    }
    graph.with(2, "products");
    Random random = new Random(4711);
    for (int layer = 0; layer < layers; layer++) {
      graph.with(5, weights("w" + layer, random, columns));
    }
    graph.with(11, rows("x", columns)).with(12, rows("y", columns));
    MatMulModel operators = new MatMulModel().with(1, "").with(2, OPERATORS_VERSION);
    return new MatMulModel()
        .with(1, IR_VERSION)
        .with(8, operators)
        .with(7, graph)
        .fields
        .toByteArray();
  }

  private static MatMulModel weights(String name, Random random, int columns) {
    ByteBuffer values =
        ByteBuffer.allocate(Float.BYTES * columns * columns).order(ByteOrder.LITTLE_ENDIAN);
    while (values.hasRemaining()) {
      values.putFloat((float) (random.nextGaussian() / Math.sqrt(columns)));
    }
    return new MatMulModel()
        .with(1, columns)
        .with(1, columns)
        .with(2, FLOAT)
        .with(8, name)
        .with(9, values.array());
  }

  private static MatMulModel rows(String name, int columns) {
    MatMulModel shape =
        new MatMulModel()
            .with(1, new MatMulModel().with(2, "rows"))
            .with(1, new MatMulModel().with(1, columns));
    MatMulModel tensor = new MatMulModel().with(1, FLOAT).with(2, shape);
    return new MatMulModel().with(1, name).with(2, new MatMulModel().with(1, tensor));
  }

  private MatMulModel with(int field, int number) {
    putNumber(field << 3);
    putNumber(number);
    return this;
  }

  private MatMulModel with(int field, String text) {
    return with(field, text.getBytes(StandardCharsets.UTF_8));
  }

  private MatMulModel with(int field, MatMulModel message) {
    return with(field, message.fields.toByteArray());
  }

  private MatMulModel with(int field, byte[] bytes) {
    putNumber(field << 3 | BYTES_FOLLOW);
    putNumber(bytes.length);
    fields.writeBytes(bytes);
    return this;
  }

  private void putNumber(int number) {
    int rest = number;
    while (rest > 127) {
      fields.write((rest & 127) | 128);
      rest >>>= 7;
    }
    fields.write(rest);
  }
}
