package dev.stowage.onnx.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpyTensorTest {

  @TempDir Path folder;

  private Path file(String header, int... values) throws IOException {
    ByteBuffer content =
        ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      content.putInt(value);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(
        new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) header.length(), 0});
    bytes.writeBytes(header.getBytes(StandardCharsets.ISO_8859_1));
    bytes.writeBytes(content.array());
    return Files.write(folder.resolve("ids.npy"), bytes.toByteArray());
  }

  @Test
  void read_tensorInCOrder_hasItsShapeAndBytes() throws IOException {
    NpyTensor tensor =
        NpyTensor.read(
            file("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", 5, 6, 7, 8, 9, 10));

    assertThat(tensor.shape()).containsExactly(2, 3);
    ByteBuffer content = tensor.content();
    assertThat(content.isDirect()).isTrue();
    assertThat(content.remaining()).isEqualTo(24);
    assertThat(content.getInt(5 * Integer.BYTES)).isEqualTo(10);
  }

  @Test
  void read_fortranOrder_isRefused() throws IOException {
    Path file = file("{'descr': '<i4', 'fortran_order': True, 'shape': (1,), }", 5);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> NpyTensor.read(file))
        .withMessage(
            file + " has no array in C order: use numpy.ascontiguousarray before numpy.save");
  }

  @Test
  void read_otherFile_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("ids.csv"), "1,2,3,4,5,6,7,8");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> NpyTensor.read(file))
        .withMessage(file + " is not a .npy file: write it with numpy.save");
  }
}
