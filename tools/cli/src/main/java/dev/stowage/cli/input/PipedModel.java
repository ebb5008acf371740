package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A model in a pipe or a device. It is copied to a temporary file, because a pipe cannot be mapped.
 */
final class PipedModel {

  /*
   * A pipe or a device may be endless. The start of a model is checked before the rest is read, and
   * the rest is read up to the limit of both formats: Protocol Buffers and flatbuffers have less
   * than 2^31 bytes. The copy takes no heap.
   */

  private static final long MAX_BYTES = Integer.MAX_VALUE;

  /** The bytes of the start, which show that a file is no model. */
  private static final int START_BYTES = 64;

  private static final int BUFFER_BYTES = 1 << 16;

  private static final String TFLITE_IDENTIFIER = "TFL3";
  private static final int TFLITE_IDENTIFIER_OFFSET = 4;

  /** The smallest first byte of a message: field 1 with a number. */
  private static final int FIRST_TAG = 1 << 3;

  private final String path;
  private final InputFormat format;
  private final Path folder;
  private final long maxBytes;

  /**
   * Creates a model.
   *
   * @param maxBytes the limit, less than 2^31
   */
  PipedModel(String path, InputFormat format, Path folder, long maxBytes) {
    this.path = path;
    this.format = format;
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  /**
   * {@return the bytes of a model; only their start if that is not the start of a model}
   *
   * @throws MalformedFileException if there are 2^31 bytes or more
   * @throws IOException if the pipe cannot be read, or its copy cannot be written
   */
  static ByteBuffer read(String path, Path file, InputFormat format) throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try (InputStream in = Files.newInputStream(file)) {
      return new PipedModel(path, format, temporary, MAX_BYTES).read(in);
    }
  }

  /** {@return the bytes of the model} */
  ByteBuffer read(InputStream in) throws IOException {
    byte[] start = in.readNBytes(START_BYTES);
    if (start.length < START_BYTES || !isStartOfModel(start)) {
      return ByteBuffer.wrap(start); // the reader of the format reports the error
    }
    try (FileChannel copy = createCopy()) {
      write(copy, start, start.length);
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (count > maxBytes - copy.position()) {
          throw new MalformedFileException(
              path,
              Text.of(
                  "is a pipe or a device with more than %,d bytes, expected at most that or a regular file",
                  maxBytes));
        }
        write(copy, buffer, count);
      }
      // The copy has no name any more when it is closed, and stays until the buffer is unreachable.
      return copy.map(MapMode.READ_ONLY, 0, copy.position());
    }
  }

  private boolean isStartOfModel(byte[] start) {
    return switch (format) {
      case TFLITE ->
          new String(
                  Arrays.copyOfRange(
                      start,
                      TFLITE_IDENTIFIER_OFFSET,
                      TFLITE_IDENTIFIER_OFFSET + TFLITE_IDENTIFIER.length()),
                  StandardCharsets.ISO_8859_1)
              .equals(TFLITE_IDENTIFIER);
      case ONNX -> Byte.toUnsignedInt(start[0]) >= FIRST_TAG;
      case CSV, JSON, XLA ->
          throw new IllegalArgumentException("not a format of models: " + format);
    };
  }

  private FileChannel createCopy() throws IOException {
    try {
      return FileChannel.open(
          Files.createTempFile(folder, "stowage-", ".model"),
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      throw unwritten(e);
    }
  }

  private void write(FileChannel copy, byte[] bytes, int count) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes, 0, count);
    try {
      while (left.hasRemaining()) {
        copy.write(left);
      }
    } catch (IOException e) {
      throw unwritten(e);
    }
  }

  private IOException unwritten(IOException e) {
    return new IOException(
        Text.of(
            "its copy in the folder %s cannot be written: %s; set another one with JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=FOLDER, or use a regular file",
            folder, e.getMessage()),
        e);
  }
}
