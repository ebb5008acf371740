package dev.stowage.trace.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.MalformedFileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.Assertions;

/** Traces that tests write and read. */
final class TraceFiles {

  private TraceFiles() {}

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

  /** {@return a zip archive with a file for each pair of a name and a content} */
  static byte[] zip(String... namesAndContents) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(packed)) {
      for (int i = 0; i < namesAndContents.length; i += 2) {
        out.putNextEntry(new ZipEntry(namesAndContents[i]));
        out.write(bytes(namesAndContents[i + 1]));
      }
    }
    return packed.toByteArray();
  }

  /** {@return the events of a trace} */
  static List<AllocationEvent> events(Path folder, byte[] bytes) throws IOException {
    List<AllocationEvent> events = new ArrayList<>();
    TraceSummary summary = read(folder, bytes, TraceOptions.strict(), events);
    assertThat(summary.eventCount()).isEqualTo(events.size());
    return events;
  }

  static TraceSummary read(
      Path folder, byte[] bytes, TraceOptions options, List<AllocationEvent> events)
      throws IOException {
    Path file = Files.write(folder.resolve("trace"), bytes);
    return TraceReader.read("t", file, options, events::add);
  }

  static void assertMalformed(Path folder, byte[] bytes, String message) {
    Assertions.assertThatThrownBy(() -> events(folder, bytes))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(message);
  }
}
