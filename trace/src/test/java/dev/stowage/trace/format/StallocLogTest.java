package dev.stowage.trace.format;

import static dev.stowage.trace.format.TraceFiles.assertMalformed;
import static dev.stowage.trace.format.TraceFiles.bytes;
import static dev.stowage.trace.format.TraceFiles.events;
import static dev.stowage.trace.format.TraceFiles.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.format.AllocationEvent.Allocate;
import dev.stowage.trace.format.AllocationEvent.Free;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StallocLogTest {

  private static final String LOG =
      """
      Iteration Index : head
      1 0x7f1e41329c00 512 0
      module.layers.0.mlp->MoELayer Layer : F-start
      1 0x7f1e4132a000 100 0x55a0
      0 0x7f1e41329c00 512 0

      token_dispatcher preprocess: F-end
      1 0x7f1e41329c00 7 0
      """;

  @TempDir private Path folder;

  @Test
  void read_log_givesItsEvents() throws IOException {
    assertThat(events(folder, bytes(LOG)))
        .containsExactly(
            new Allocate("0", 512, 0, 0),
            new Allocate("1", 100, 0x55a0, 0),
            new Free("0", 0, 0),
            new Allocate("2", 7, 0, 0));
    assertThat(events(folder, gzip(bytes(LOG)))).isEqualTo(events(folder, bytes(LOG)));
  }

  @Test
  void read_log_notesWhatItLacks() throws IOException {
    List<AllocationEvent> events = new ArrayList<>();
    TraceSummary summary = TraceFiles.read(folder, bytes(LOG), TraceOptions.strict(), events);
    assertThat(summary.format()).isEqualTo("stalloc");
    assertThat(summary.notes()).containsExactly("the log has no times and no call stacks");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "0 0x8 512 0;frees '0x8', which is not live: never allocated, or freed before",
        "1 0x1 512 0;allocates '0x1', which is live",
        "1 x 512 0;has pointer 'x', expected a hexadecimal number of 64 bits",
        "1 0x2 -1 0;has bytes '-1', expected a number of bytes from 0 to 2^63 - 1",
        "1 0x2 1 s;has stream 's', expected a hexadecimal number of 64 bits",
        "2 0x2 1 0;starts with '2', expected 1 (allocates) or 0 (frees)",
        "1 0x2 1;is '1 0x2 1', expected 1 or 0, pointer, bytes and stream",
      })
  void read_wrongEvent_saysLineAndEvent(String line, String problem) {
    assertMalformed(folder, bytes("1 0x1 5 0\n" + line + "\n"), "t: line 2: event 2 " + problem);
  }
}
