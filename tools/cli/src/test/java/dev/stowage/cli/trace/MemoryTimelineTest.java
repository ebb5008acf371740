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

final class MemoryTimelineTest {

  /** Two temporary blocks of 512 bytes, the second of which becomes an activation. */
  private static final String TIMELINE =
      """
      [[-1, 1, 37888, 0], [1000000, 2, 512, 3], [1003000, 2, 512, 3], [1004000, 3, -512, 3],
       [1004000, 3, 512, 4], [1005000, 4, -512, 3], [1006999, 4, -512, 4]]
      """;

  @TempDir private Path folder;

  @Test
  void read_timeline_givesItsEvents() throws IOException {
    assertThat(events(folder, bytes(TIMELINE)))
        .containsExactly(
            new Allocate("0", 37888, 0, 0, List.of(), "parameter"),
            new Allocate("1", 512, 0, 0, List.of(), "temporary"),
            new Allocate("2", 512, 0, 3, List.of(), "temporary"),
            new Free("1", 0, 5),
            new Free("2", 0, 6));
    assertThat(events(folder, gzip(bytes(TIMELINE)))).isEqualTo(events(folder, bytes(TIMELINE)));
  }

  @Test
  void read_equalBlocks_freesTheLatest() throws IOException {
    assertThat(events(folder, bytes("[[1,2,8,7],[2,2,8,7],[3,4,-8,7],[4,4,-8,7]]")))
        .extracting(AllocationEvent::id)
        .containsExactly("0", "1", "1", "0");
  }

  @Test
  void read_timeline_notesWhatItLacks() throws IOException {
    List<AllocationEvent> events = new ArrayList<>();
    TraceSummary summary = JsonTraces.read(folder, bytes(TIMELINE), TraceFormats.options(), events);
    assertThat(summary.format()).isEqualTo("timeline");
    assertThat(summary.notes())
        .containsExactly(
            "the timeline has no addresses, streams and call stacks; a free is that of the latest"
                + " block with its bytes and category");
  }

  private static final String NO_ENTRY =
      "is not a list of a time, an action from 1 to 4, bytes and a category from 0 to 7, expected"
          + " a timeline that was exported as .raw.json.gz";

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "[2,4,-9,7];frees a block of 9 bytes, unknown, of which none is live",
        "[2,4,8,7];frees a block of 8 bytes, unknown, of which none is live",
        "[2,2,-8,7];allocates a negative number of bytes: bytes=-8",
        "[2,3,-8,6],[2,3,8,7];changes the category of a block of 8 bytes, autograd detail, of"
            + " which none is live",
        "[2,3,-8,7],[2,3,9,7];is not the second part of the change before it",
        "[2,3,-8,7],[2,2,8,7];is not the second part of the change before it",
        "[2,3,-8,7];is missing, the second part of the change before it",
      })
  void read_wrongEntry_saysEntryAndEvent(String entries, String problem) {
    int index = entries.contains("],[") || problem.startsWith("is missing") ? 2 : 1;
    assertMalformed(
        folder, "[[1,2,8,7]," + entries + "]", "t: entry " + index + ": event 2 " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[1,2,8]",
        "[1,2,8,7,1]",
        "[1,5,8,7]",
        "[1,2,8,8]",
        "[1,2,8,-1]",
        "[1,2,9223372036854775808,7]",
        "[1,2,1.5,7]",
        "[1,2,[3],7]",
        "7",
        "{\"a\":[1]}"
      })
  void read_otherEntry_isAnError(String entry) {
    assertMalformed(folder, "[[1,2,8,7]," + entry + "]", "t: entry 1: event 2 " + NO_ENTRY);
  }

  @Test
  void read_sumsOfATimeline_isAnError() {
    assertMalformed(folder, "[[1,2,3],[[0,1],[0,2],[0,3]]]", "t: entry 0: event 1 " + NO_ENTRY);
  }

  @Test
  void read_cutShort_saysWhere() throws IOException {
    assertMalformed(
        folder,
        "[[1,2,8,7],\n[1,2",
        "t: line 2, column 4: is not JSON: Unexpected end-of-input: expected close marker for Array,"
            + " before event 2");
    assertMalformed(
        folder,
        "[[1,2,8,7]] 5",
        "t: line 1, column 13: there is text after the value, expected one JSON value, before"
            + " event 2");
  }
}
