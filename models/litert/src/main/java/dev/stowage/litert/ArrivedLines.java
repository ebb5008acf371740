package dev.stowage.litert;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The lines of a stream that have arrived. Reading them does not wait for the end of a line. */
final class ArrivedLines {

  private final InputStream in;
  private final ByteArrayOutputStream unterminated = new ByteArrayOutputStream();

  ArrivedLines(InputStream in) {
    this.in = in;
  }

  /** {@return the lines that have arrived since the last call} */
  List<String> next() throws IOException {
    return lines(in.readNBytes(in.available()));
  }

  /** {@return the lines up to the end of the stream, for which this method waits} */
  List<String> rest() throws IOException {
    List<String> lines = lines(in.readAllBytes());
    if (unterminated.size() > 0) {
      lines.add(unterminated.toString(StandardCharsets.UTF_8));
    }
    return lines;
  }

  private List<String> lines(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    for (byte each : bytes) {
      if (each == '\n') {
        lines.add(unterminated.toString(StandardCharsets.UTF_8));
        unterminated.reset();
      } else {
        unterminated.write(each);
      }
    }
    return lines;
  }
}
