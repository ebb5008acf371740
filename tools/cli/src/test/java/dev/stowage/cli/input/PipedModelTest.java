package dev.stowage.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.plan.MalformedFileException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of models from pipes, with a limit of 1 MiB. */
final class PipedModelTest {

  private static final long LIMIT_BYTES = 1 << 20;

  @TempDir private Path folder;

  private ByteBuffer read(InputFormat format, InputStream in) throws IOException {
    return new PipedModel("model", format, folder, LIMIT_BYTES).read(in);
  }

  private void assertNoCopyIsLeft() throws IOException {
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  /** {@return bytes that start as a model} */
  private static byte[] model(InputFormat format, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (8 + i % 113);
    }
    byte[] start =
        (format == InputFormat.TFLITE ? "1234TFL3" : "\b\7").getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(start, 0, bytes, 0, start.length);
    return bytes;
  }

  /** A stream of zeros, which counts them. */
  private static final class Zeros extends InputStream {

    private long count;

    @Override
    public int read() {
      count++;
      return 0;
    }

    @Override
    public int read(byte[] bytes, int start, int length) {
      Arrays.fill(bytes, start, start + length, (byte) 0);
      count += length;
      return length;
    }
  }

  @Test
  void read_modelUpToTheLimit_hasItsBytesAndLeavesNoFile() throws IOException {
    for (InputFormat format : new InputFormat[] {InputFormat.ONNX, InputFormat.TFLITE}) {
      for (int count : new int[] {8, 64, 65, 70_000, (int) LIMIT_BYTES}) {
        byte[] model = model(format, count);

        assertThat(read(format, new ByteArrayInputStream(model))).isEqualTo(ByteBuffer.wrap(model));
      }
    }
    assertNoCopyIsLeft();
  }

  @Test
  void read_moreThanTheLimit_isAnErrorAndReadsNoMore() throws IOException {
    for (InputFormat format : new InputFormat[] {InputFormat.ONNX, InputFormat.TFLITE}) {
      Zeros zeros = new Zeros();
      InputStream endless =
          new SequenceInputStream(new ByteArrayInputStream(model(format, 100)), zeros);

      assertThatExceptionOfType(MalformedFileException.class)
          .isThrownBy(() -> read(format, endless))
          .withMessage(
              "model: is a pipe or a device with more than 1,048,576 bytes, expected at most that or a regular file");
      assertThat(zeros.count).isLessThan(2 * LIMIT_BYTES);
    }
    assertNoCopyIsLeft();
  }

  @Test
  void read_bytesThatStartAsNoModel_readsOnlyTheStart() throws IOException {
    for (InputFormat format : new InputFormat[] {InputFormat.ONNX, InputFormat.TFLITE}) {
      Zeros zeros = new Zeros();

      assertThat(read(format, zeros).remaining()).isEqualTo((int) zeros.count).isLessThan(100);
    }
  }

  @Test
  void read_folderThatCannotBeWritten_namesTheFolder() {
    Path none = folder.resolve("none");

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            new PipedModel("model", InputFormat.ONNX, none, LIMIT_BYTES)
                .read(new ByteArrayInputStream(model(InputFormat.ONNX, 100))))
        .withMessageStartingWith("its copy in the folder " + none + " cannot be written: ");
  }
}
