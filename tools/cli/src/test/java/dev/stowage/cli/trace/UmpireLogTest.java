package dev.stowage.cli.trace;

import static dev.stowage.cli.trace.JsonTraces.assertMalformed;
import static dev.stowage.cli.trace.JsonTraces.bytes;
import static dev.stowage.cli.trace.JsonTraces.events;
import static dev.stowage.cli.trace.JsonTraces.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.AllocationEvent.Allocate;
import dev.stowage.trace.format.AllocationEvent.Free;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UmpireLogTest {

  private static final String VERSION =
      """
      {"category":"metadata","name":"version","numeric_args":{"major":2022},"timestamp":1000}
      """;

  private static final String LOG =
      VERSION
          + """
          {"category":"operation","name":"make_memory_resource","string_args":{"allocator_ref":"0x1"},"tags":{"allocator_name":"HOST"},"timestamp":1000}
          {"category":"operation","name":"make_allocator","string_args":{"allocator_ref":"0x2","arg0":"HOST"},"tags":{"allocator_name":"pool"},"timestamp":1000}
          {"category":"operation","name":"allocate","numeric_args":{"size":128},"string_args":{"allocator_ref":"0x1","pointer":"0xa0"},"timestamp":5000}
          {"category":"operation","name":"named_allocate","numeric_args":{"size":64},"string_args":{"allocator_ref":"0x2","pointer":"0xa0","allocation_name":"field"},"timestamp":7500}
          {"category":"operation","name":"copy","numeric_args":{"size":64},"string_args":{"src":"0xa0"},"timestamp":8000}
          {"category":"operation","name":"reallocate","numeric_args":{"size":256},"string_args":{"allocator_ref":"0x1","current_ptr":"0xa0"},"timestamp":9000}
          {"category":"operation","name":"allocate","numeric_args":{"size":256},"string_args":{"allocator_ref":"0x1","pointer":"0xb0"},"timestamp":9000}
          {"category":"operation","name":"deallocate","string_args":{"allocator_ref":"0x1","pointer":"0xa0"},"timestamp":9000}
          {"category":"operation","name":"reallocate","numeric_args":{},"string_args":{"allocator_ref":"0x1","new_ptr":"0xb0"},"timestamp":10000}
          {"category":"operation","name":"deallocate","string_args":{"allocator_ref":"0x2","pointer":"0xa0"},"timestamp":11000}
          {"category":"operation","name":"deallocate","string_args":{"allocator_ref":"0x2","pointer":"(nil)"},"timestamp":11000}
          {"category":"operation","name":"reallocate","numeric_args":{"size":4},"string_args":{"allocator_ref":"0x3","current_ptr":"0"},"timestamp":12000}
          {"category":"operation","name":"reallocate","numeric_args":{},"string_args":{"allocator_ref":"0x3","new_ptr":"0xc0"},"timestamp":12000}
          """;

  @TempDir private Path folder;

  @Test
  void read_log_givesItsEvents() throws IOException {
    assertThat(events(folder, bytes(LOG)))
        .containsExactly(
            new Allocate("0", 128, 0, 0),
            new Allocate("1", 64, 1, 2, List.of(), "field"),
            new Free("0", 0, 4),
            new Allocate("2", 256, 0, 5),
            new Free("1", 1, 6),
            new Allocate("3", 4, 2, 7));
    assertThat(events(folder, gzip(bytes(LOG)))).isEqualTo(events(folder, bytes(LOG)));
  }

  @Test
  void read_log_notesWhatItLacks() throws IOException {
    List<AllocationEvent> events = new ArrayList<>();
    TraceSummary summary = JsonTraces.read(folder, bytes(LOG), TraceFormats.options(), events);
    assertThat(summary.format()).isEqualTo("umpire");
    assertThat(summary.notes())
        .containsExactly(
            "the log has no streams and call stacks; the stream of an event is the number of its"
                + " allocator (0: HOST, 1: pool, 2: 0x3)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "\"name\":\"deallocate\",\"a\":{\"allocator_ref\":\"1\",\"pointer\":\"0x9\"};frees '0x9',"
            + " which is not live: never allocated, or freed before",
        "\"name\":\"allocate\",\"a\":{\"allocator_ref\":\"1\",\"pointer\":\"0x9\",\"size\":-1};has"
            + " no number 'size' of bytes from 0 to 2^63 - 1",
        "\"name\":\"allocate\",\"a\":{\"pointer\":\"0x9\",\"size\":1};has no text 'allocator_ref'",
        "\"name\":\"allocate\",\"a\":{\"allocator_ref\":\"1\",\"size\":1};has no text 'pointer'",
        "\"name\":\"reallocate\",\"a\":{\"allocator_ref\":\"1\",\"size\":1};has no text"
            + " 'current_ptr' or no number 'size' from 0 to 2^63 - 1",
        "\"name\":\"reallocate\",\"a\":{\"allocator_ref\":\"1\",\"new_ptr\":\"2\"};ends a"
            + " reallocation that has not begun",
      })
  void read_wrongEvent_saysLineAndEvent(String fields, String problem) {
    assertMalformed(
        folder,
        VERSION + "{\"category\":\"operation\"," + fields + "}\n",
        "t: line 2: event 1 " + problem);
  }

  @Test
  void read_lineCutShort_isAnError() {
    assertMalformed(
        folder,
        VERSION + "{\"category\":\"oper\n",
        "t: line 2: event 1 is not JSON: Unexpected end-of-input: was expecting closing quote for"
            + " a string value");
    assertMalformed(
        folder,
        VERSION
            + "{\"category\":\"operation\",\"name\":\"reallocate\",\"a\":{\"allocator_ref\":\"1\","
            + "\"size\":1,\"current_ptr\":\"0\"}}\n",
        "t: the last line: a reallocation has begun that does not end, before event 1");
  }
}
