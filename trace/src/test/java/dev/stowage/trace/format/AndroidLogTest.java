package dev.stowage.trace.format;

import static dev.stowage.trace.format.TraceFiles.assertMalformed;
import static dev.stowage.trace.format.TraceFiles.bytes;
import static dev.stowage.trace.format.TraceFiles.events;
import static dev.stowage.trace.format.TraceFiles.zip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.format.AllocationEvent.Allocate;
import dev.stowage.trace.format.AllocationEvent.Free;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AndroidLogTest {

  private static final String LOG =
      """
      100: malloc 0xb48390a0 48
      200: calloc 0xb48c1100 32 8
      300:realloc 0x96b90920 0xb48390a0 150
      400: memalign 0xae42d080 16 104 5 7
      200: free 0xb48c1100
      200: free 0x0
      200: malloc 0x0 99
      200: realloc 0x0 0xae42d080 99
      200: realloc 0xb48c1100 0x0 9
      200: realloc 0x0 0xb48c1100 0
      600: thread_done 0x0
      """;

  @TempDir private Path folder;

  @Test
  void read_log_givesItsEvents() throws IOException {
    assertThat(events(folder, bytes(LOG)))
        .containsExactly(
            new Allocate("0", 48, 0, 0),
            new Allocate("1", 256, 0, 0),
            new Free("0", 0, 0),
            new Allocate("2", 150, 0, 0),
            new Allocate("3", 104, 0, 0),
            new Free("1", 0, 0),
            new Allocate("4", 9, 0, 0),
            new Free("4", 0, 0));
  }

  @Test
  void read_log_notesWhatItLacks() throws IOException {
    List<AllocationEvent> events = new ArrayList<>();
    TraceSummary summary = TraceFiles.read(folder, bytes(LOG), TraceOptions.strict(), events);
    assertThat(summary.format()).isEqualTo("android");
    assertThat(summary.notes()).containsExactly("the log has no times, streams and call stacks");
  }

  @Test
  void read_zipWithOneFile_isThatFile() throws IOException {
    assertThat(events(folder, zip("folder/", "", "folder/a.txt", LOG, "__MACOSX/._a.txt", "x")))
        .isEqualTo(events(folder, bytes(LOG)));
  }

  @Test
  void read_otherZip_isAnError() throws IOException {
    assertMalformed(folder, zip("f/", ""), "t: has no file, expected a zip file with a trace");
    assertMalformed(
        folder,
        zip("a.txt", LOG, "b.txt", LOG),
        "t: has a second file 'b.txt', expected a zip file with one trace");
    byte[] zip = zip("a.txt", LOG.repeat(1000).replace("malloc", "free"));
    assertMalformed(folder, Arrays.copyOf(zip, 45), "t: the zip file is cut short or damaged here");
    assertMalformed(
        folder,
        new byte[] {'P', 'K', 3, 4, 0, 0},
        "t: has no file, expected a zip file with a trace");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "2: free 0x8;frees '0x8', which is not live: never allocated, or freed before",
        "2: malloc 0x1 5;allocates '0x1', which is live",
        "2: malloc 0x2;has no number of bytes from 0 to 2^63 - 1",
        "2: malloc 0x2 -5;has no number of bytes from 0 to 2^63 - 1",
        "2: calloc 0x2 4294967296 4294967296;has no number of bytes from 0 to 2^63 - 1",
        "2: calloc 0x2 4294967296 2147483648;has no number of bytes from 0 to 2^63 - 1",
        "2: realloc 0x2 0x1;has no number of bytes from 0 to 2^63 - 1",
        "2: realloc 0x2;has no hexadecimal number of 64 bits for the old pointer",
        "2: free x;has pointer 'x', expected a hexadecimal number of 64 bits",
        "2: mmap 0x2 5;has action 'mmap', expected malloc, calloc, memalign, realloc, free or"
            + " thread_done",
        "2: free;is '2: free', expected a thread, an action and a pointer",
      })
  void read_wrongEvent_saysLineAndEvent(String line, String problem) {
    assertMalformed(
        folder, bytes("1: malloc 0x1 5\n" + line + "\n"), "t: line 2: event 2 " + problem);
  }
}
