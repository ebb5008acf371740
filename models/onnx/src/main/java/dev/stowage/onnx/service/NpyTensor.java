package dev.stowage.onnx.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tensor of a {@code .npy} file in C order: numpy/lib/format.py. */
final class NpyTensor {

  private static final Pattern SHAPE =
      Pattern.compile("'fortran_order': False.*'shape': \\(([\\d, ]*)\\)");

  /** The index of the length of the header. */
  private static final int LENGTH = 8;

  private final long[] shape;
  private final ByteBuffer content;

  private NpyTensor(long[] shape, ByteBuffer content) {
    this.shape = shape;
    this.content = content;
  }

  /**
   * {@return the tensor of a file}
   *
   * @throws IllegalArgumentException if it is not a {@code .npy} file, or has no array in C order
   * @throws IOException if it cannot be read
   */
  static NpyTensor read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < LENGTH + Integer.BYTES
        || !new String(bytes, 1, 5, StandardCharsets.ISO_8859_1).equals("NUMPY")) {
      throw new IllegalArgumentException(file + " is not a .npy file: write it with numpy.save");
    }
    boolean isFirst = bytes[LENGTH - 2] == 1;
    int start = LENGTH + (isFirst ? Short.BYTES : Integer.BYTES);
    int length = isFirst ? Short.toUnsignedInt(all.getShort(LENGTH)) : all.getInt(LENGTH);
    if (length < 0 || length > bytes.length - start) {
      throw new IllegalArgumentException(file + " is cut short: it ends within its header");
    }
    Matcher header = SHAPE.matcher(new String(bytes, start, length, StandardCharsets.ISO_8859_1));
    if (!header.find()) {
      throw new IllegalArgumentException(
          file + " has no array in C order: use numpy.ascontiguousarray before numpy.save");
    }
    long[] shape =
        Arrays.stream(header.group(1).split(",", -1))
            .map(String::strip)
            .filter(size -> !size.isEmpty())
            .mapToLong(Long::parseLong)
            .toArray();
    int content = bytes.length - start - length;
    ByteBuffer direct = ByteBuffer.allocateDirect(content).order(ByteOrder.nativeOrder());
    direct.put(bytes, start + length, content).flip();
    return new NpyTensor(shape, direct);
  }

  long[] shape() {
    return shape.clone();
  }

  /** {@return the bytes, for one tensor} */
  ByteBuffer content() {
    return content.duplicate().order(ByteOrder.nativeOrder());
  }
}
