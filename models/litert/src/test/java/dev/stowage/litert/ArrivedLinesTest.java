package dev.stowage.litert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ArrivedLinesTest {

  private static void write(PipedOutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Test
  void next_lineWithoutEnd_doesNotWait() throws IOException {
    PipedInputStream in = new PipedInputStream();
    ArrivedLines lines = new ArrivedLines(in);
    try (PipedOutputStream out = new PipedOutputStream(in)) {
      assertThat(lines.next()).isEmpty();
      write(out, "one\ntwö");
      assertThat(lines.next()).containsExactly("one");
      write(out, " words\n\nrest");
      assertThat(lines.next()).containsExactly("twö words", "");
    }
    assertThat(lines.rest()).containsExactly("rest");
  }
}
