package dev.stowage.cli.trace;

import static dev.stowage.cli.trace.JsonTraces.assertMalformed;
import static dev.stowage.cli.trace.JsonTraces.bytes;
import static dev.stowage.cli.trace.JsonTraces.events;
import static dev.stowage.cli.trace.JsonTraces.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.AllocationEvent.Allocate;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VulkanDumpTest {

  private static final String START =
      """
      {"General": {"API": "Vulkan", "GPU": "x"},
       "Total": {"BlockCount": 1, "AllocationBytes": 5, "UnusedRangeCount": 1}
      """;

  private static final String DUMP =
      START
          + """
          , "DefaultPools": {
            "Type 0": {"PreferredBlockSize": 99,
              "Blocks": {"0": {"TotalBytes": 99, "Suballocations": [
                {"Offset": 0, "Type": "BUFFER", "Size": 60, "Usage": 66},
                {"Offset": 60, "Type": "FREE", "Size": 4},
                {"Offset": 64, "Type": "IMAGE_OPTIMAL", "Size": 35, "Name": "albedo"}]}},
              "DedicatedAllocations": [{"Type": "UNKNOWN", "Size": 1024, "CustomData": "00F5"}]},
            "Type 3": {"Blocks": {}, "DedicatedAllocations": [{"Type": "BUFFER", "Size": 7}]}},
           "CustomPools": {"Type 1": [{"Name": "pool", "Flags": [], "Blocks": {"0": {
             "Suballocations": [{"Type": "BUFFER", "Size": 8}]}}, "DedicatedAllocations": []}]}}
          """;

  @TempDir private Path folder;

  @Test
  void read_dump_givesItsAllocations() throws IOException {
    assertThat(events(folder, bytes(DUMP)))
        .containsExactly(
            new Allocate("0", 60, 0, 0, List.of(), "BUFFER"),
            new Allocate("1", 35, 0, 0, List.of(), "albedo IMAGE_OPTIMAL"),
            new Allocate("2", 1024, 0, 0, List.of(), "UNKNOWN"),
            new Allocate("3", 7, 3, 0, List.of(), "BUFFER"),
            new Allocate("4", 8, 1, 0, List.of(), "BUFFER"));
    assertThat(events(folder, gzip(bytes(DUMP)))).isEqualTo(events(folder, bytes(DUMP)));
  }

  /** Before version 3, dedicated allocations were outside the pools. */
  @Test
  void read_dumpOfVersion2_givesItsAllocations() throws IOException {
    String dump =
        """
        {"Total": {"Blocks": 1, "UnusedRanges": 0},
         "DedicatedAllocations": {"Type 7": [{"Type": "BUFFER", "Size": 5}]}}
        """;
    assertThat(events(folder, bytes(dump)))
        .containsExactly(new Allocate("0", 5, 7, 0, List.of(), "BUFFER"));
  }

  @Test
  void read_dump_notesThatItIsAState() throws IOException {
    List<AllocationEvent> events = new ArrayList<>();
    TraceSummary summary = JsonTraces.read(folder, bytes(DUMP), TraceFormats.options(), events);
    assertThat(summary.format()).isEqualTo("vma");
    assertThat(summary.notes())
        .containsExactly(
            "a dump is a state, not a history: it has neither frees nor times nor call stacks; the"
                + " memory types of all heaps are the streams of one device");
  }

  @Test
  void read_dumpWithoutMap_isAnError() {
    assertMalformed(
        folder,
        START + "}",
        "t: has no 'Suballocations', expected a dump with a detailed map"
            + " (vmaBuildStatsString(allocator, &text, VK_TRUE))");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"Size\": 5}",
        "{\"Type\": \"BUFFER\"}",
        "{\"Type\": \"BUFFER\", \"Size\": -1}",
        "5",
        "[]",
        "{\"Type\": [\"BUFFER\"], \"Size\": {\"Size\": 1}}"
      })
  void read_wrongAllocation_saysPlaceAndEvent(String allocation) {
    assertMalformed(
        folder,
        START + ", \"DefaultPools\": {\"DedicatedAllocations\": [\n" + allocation + "]}}",
        "t: line 4, column 1: event 1 has no text 'Type' or no number 'Size' from 0 to 2^63 - 1,"
            + " expected an allocation");
  }
}
