package dev.stowage.cli.trace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Traces that tests write and read. */
final class JsonTraces {

  private JsonTraces() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  static TraceSummary read(
      Path folder, byte[] bytes, TraceOptions options, List<AllocationEvent> events)
      throws IOException {
    Path file = Files.write(folder.resolve("trace"), bytes);
    return TraceReader.read("t", file, options, events::add);
  }

  static List<AllocationEvent> events(Path folder, byte[] bytes) throws IOException {
    List<AllocationEvent> events = new ArrayList<>();
    read(folder, bytes, TraceFormats.options(), events);
    return events;
  }

  static void assertMalformed(Path folder, String text, String message) {
    assertThatThrownBy(() -> events(folder, bytes(text)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(message);
  }
}
