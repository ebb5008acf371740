package dev.stowage.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class FailureReaderTest {

  private static final String MESSAGE =
      "CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacity of 8.00 GiB of"
          + " which 1.00 GiB is free. Of the allocated memory 6.00 GiB is allocated by PyTorch, and"
          + " 256.00 MiB is reserved by PyTorch but unallocated.";

  private static FailureReader.Found read(byte[] text) throws IOException {
    return FailureReader.read(new ByteArrayInputStream(text));
  }

  private static FailureReader.Found read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Asserts that a text has the message once, with all of its numbers. */
  private static void assertFound(FailureReader.Found found) {
    assertThat(found.count()).isEqualTo(1);
    FailureNumbers numbers = found.last().orElseThrow().numbers();
    assertThat(numbers.all().keySet())
        .containsExactly(
            FailurePart.REQUESTED,
            FailurePart.CAPACITY,
            FailurePart.DEVICE_FREE,
            FailurePart.ALLOCATED,
            FailurePart.CACHED);
    assertThat(numbers.get(FailurePart.REQUESTED).orElseThrow().bytes()).isEqualTo(3L << 30);
    assertThat(numbers.get(FailurePart.CACHED).orElseThrow().bytes()).isEqualTo(256L << 20);
  }

  @Test
  void read_coloursCarriageReturnsAndProgressBars_areRemoved() throws IOException {
    assertFound(
        read("\u001B[1;31mError\u001B[0m: " + MESSAGE.replace("3.00", "\u001B[33m3.00\u001B[39m")));
    assertFound(read(" 12%|###   | 3/25\r 16%|####  | 4/25\r" + MESSAGE + "\r\n100%|\r\n"));
    assertFound(read(MESSAGE.replace(". ", ".\r\n")));
    assertFound(read("\u001B]8;;http://x\u0007" + MESSAGE + "\u001B]8;;\u0007"));
  }

  @Test
  void read_quotesAndPrefixes_areRemoved() throws IOException {
    assertFound(read("> > " + MESSAGE.replace(". ", ".\n> > ")));
    assertFound(read("[rank7]: " + MESSAGE.replace(" GiB", "\n[rank7]: GiB")));
    assertFound(read("trainer-1  | " + MESSAGE.replace(", ", ",\ntrainer-1  | ")));
    assertFound(
        read(
            "2026-11-01T10:00:00.123Z stderr F "
                + MESSAGE.replace(" is ", "\n2026-11-01T10:00:00.124Z stderr F is ")));
    assertFound(read("(train pid=4711, ip=10.0.0.1) " + MESSAGE));
    assertFound(read("```\n" + MESSAGE.replace("GiB", "`GiB`") + "\n```"));
    assertFound(read("level=error msg=\"" + MESSAGE.replace(". ", ".\\n") + "\""));
  }

  @Test
  void read_anyEncoding_isRead() throws IOException {
    for (Charset charset :
        new Charset[] {
          StandardCharsets.UTF_8, StandardCharsets.UTF_16, StandardCharsets.ISO_8859_1
        }) {
      assertFound(read(("Schlüssel fehlt\n" + MESSAGE + "\nÜberlauf").getBytes(charset)));
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(MESSAGE.getBytes(StandardCharsets.UTF_8));
    }
    assertFound(read(packed.toByteArray()));
  }

  @Test
  void read_severalFailures_hasTheLastOne() throws IOException {
    String later = MESSAGE.replace("3.00 GiB", "4.00 GiB");

    FailureReader.Found found = read(MESSAGE + "\n" + later);

    assertThat(found.count()).isEqualTo(2);
    assertThat(found.last().orElseThrow().requested().orElseThrow().shown()).isEqualTo("4.00 GiB");
    // The same message is printed for an exception and for its cause.
    assertThat(read(MESSAGE + "\nDuring handling of the above exception:\n" + MESSAGE).count())
        .isEqualTo(1);
  }

  @Test
  void read_errorOfAnotherProgramOnCuda_isNotOfPytorch() throws IOException {
    String text =
        "CUDA error: out of memory\n  current device: 0, in function alloc at ggml-cuda.cu:418\n";

    assertThat(read(text).last().map(Failure::program))
        .isNotEqualTo(Optional.of(FailureProgram.PYTORCH));
    assertThat(read("CUDA error: out of memory\n").last().map(Failure::program))
        .hasValue(FailureProgram.PYTORCH);
  }

  @Test
  void read_longLines_areCutBetweenWords() throws IOException {
    assertFound(read("x ".repeat(9000) + MESSAGE + " y".repeat(9000)));
    assertFound(read("z".repeat(100_000) + " " + MESSAGE));
  }

  /** The heap of the tests is smaller than the text. */
  @Test
  void read_longText_needsBoundedMemory() throws IOException {
    long lines = 1_000_000;
    assertFound(
        FailureReader.read(
            new Repeated("2026-11-01 10:00:00 INFO step 12 took 3.2 s, 1.5 GiB in use\n", lines)));
    assertThat(FailureReader.read(new Repeated("y".repeat(100), 2 * lines)).count()).isEqualTo(1);
    assertThat(
            FailureReader.read(
                    new Repeated(
                        "bfc_allocator.cc:1090] InUse at 7fa140385100 of size 256 next 1\n",
                        200_000))
                .count())
        .isEqualTo(2);
  }

  /** A text of many times the same characters, with the message in the middle. */
  private static final class Repeated extends InputStream {

    private final byte[] part;
    private final long count;
    private long index;
    private int position;
    private byte[] now;

    Repeated(String part, long count) {
      this.part = part.getBytes(StandardCharsets.UTF_8);
      this.count = count;
      now = this.part;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (position == now.length) {
        index++;
        position = 0;
        now = index == count / 2 ? ("\n" + MESSAGE + "\n").getBytes(StandardCharsets.UTF_8) : part;
      }
      if (index >= count) {
        return -1;
      }
      int copied = Math.min(length, now.length - position);
      System.arraycopy(now, position, target, offset, copied);
      position += copied;
      return copied;
    }
  }
}
