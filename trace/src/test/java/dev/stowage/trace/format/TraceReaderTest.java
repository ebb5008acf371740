package dev.stowage.trace.format;

import static dev.stowage.trace.format.TraceFiles.assertMalformed;
import static dev.stowage.trace.format.TraceFiles.bytes;
import static dev.stowage.trace.format.TraceFiles.events;
import static dev.stowage.trace.format.TraceFiles.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import dev.stowage.trace.format.AllocationEvent.Allocate;
import dev.stowage.trace.format.AllocationEvent.Fail;
import dev.stowage.trace.format.AllocationEvent.Free;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceReaderTest {

  private static final String HEADER = "op,id,bytes,stream,t\n";
  private static final String RMM = "Thread,Time,Action,Pointer,Size,Stream\n";

  @TempDir private Path folder;

  @Test
  void read_csv_givesItsEvents() throws IOException {
    String csv = "\uFEFF" + HEADER + "a,x,100,7,3\r\n\na, y ,0,,\nf,x,100,7,9\nf,y,,,\n";

    assertThat(events(folder, bytes(csv)))
        .containsExactly(
            new Allocate("x", 100, 7, 3),
            new Allocate("y", 0, 0, 0),
            new Free("x", 7, 9),
            new Free("y", 0, 0));
    assertThat(events(folder, gzip(bytes(csv)))).isEqualTo(events(folder, bytes(csv)));
  }

  /** Terminals and collectors of logs colour lines, and clear their ends. */
  @ParameterizedTest
  @ValueSource(strings = {"trace.csv", "rmm.txt", "xla.txt"})
  void read_colouredText_hasTheSameEvents(String name) throws IOException {
    String text = Files.readString(SampleModels.examples().resolve("formats").resolve(name));
    String coloured = text.replaceAll("(?m)^(.+)$", "\u001b[1;32m$1\u001b[0m\u001b[K");

    assertThat(events(folder, bytes(coloured))).isNotEmpty().isEqualTo(events(folder, bytes(text)));
  }

  @Test
  void read_idsThatComeAgain_areNewAllocations() throws IOException {
    assertThat(events(folder, bytes(HEADER + "a,x,1,0,0\nf,x,,0,1\na,x,2,0,2\n"))).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "y,1,2,0,0;event 1 has op 'y', expected a, f, x or n",
        "a,,2,0,0;event 1 has no id",
        "a,1,-2,0,0;event 1 has bytes '-2', expected a number of bytes from 0 to 2^63 - 1",
        "a,1,+2,0,0;event 1 has bytes '+2', expected a number of bytes from 0 to 2^63 - 1",
        "a,1,\u0662,0,0;event 1 has bytes '\u0662', expected a number of bytes from 0 to 2^63 - 1",
        "a,1,,0,0;event 1 has bytes '', expected a number of bytes from 0 to 2^63 - 1",
        "a,1,9223372036854775808,0,0;event 1 has bytes '9223372036854775808', expected a number of"
            + " bytes from 0 to 2^63 - 1",
        "a,1,2,s,0;event 1 has stream 's', expected a whole number",
        "a,1,2,0,1.5;event 1 has t '1.5', expected a whole number",
        "a,1,2;event 1 has 3 fields, expected 5 (op,id,bytes,stream,t)",
        "f,1,2,0,0;event 1 frees '1', which is not live: never allocated, or freed before",
      })
  void read_wrongCsvEvent_saysLineAndEvent(String line, String problem) {
    assertMalformed(folder, bytes(HEADER + line + "\n"), "t: line 2: " + problem);
  }

  @Test
  void read_eventsThatCannotHaveHappened_areErrors() {
    assertMalformed(
        folder,
        bytes(HEADER + "a,x,1,0,0\na,x,1,0,1\n"),
        "t: line 3: event 2 allocates 'x', which is live");
    assertMalformed(
        folder,
        bytes(HEADER + "a,x,1,0,0\nf,x,1,0,1\n\nf,x,1,0,1\n"),
        "t: line 5: event 3 frees 'x', which is not live: never allocated, or freed before");
  }

  private static final String EXPECTED =
      ", expected a trace of CSV (op,id,bytes,stream,t), RAPIDS, JAX or TensorFlow (a log),"
          + " PyTorch (.pickle), JDK Flight Recorder (.jfr)";

  @Test
  void read_noTrace_isAnError() throws IOException {
    assertMalformed(folder, bytes(""), "t: is empty, expected a trace");
    assertMalformed(folder, bytes("id,lower,upper,size\n"), unknown("id,lower,upper,size"));
    assertMalformed(folder, new byte[] {(byte) 0xff, 1}, "t: is binary" + EXPECTED);
    assertMalformed(folder, bytes("x".repeat(100_000)), unknown("x".repeat(60) + "…"));
    assertMalformed(folder, gzip(bytes("x")), unknown("x"));
    assertMalformed(folder, gzip(new byte[0]), "t: is empty, expected a trace");
    assertMalformed(
        folder,
        new byte[] {0x1f, (byte) 0x8b, 8},
        "t: is cut short or damaged, expected a gzip file");
  }

  private static String unknown(String start) {
    return "t: starts with '" + start + "'" + EXPECTED;
  }

  @Test
  void read_noText_isAnError() {
    byte[] notUtf8 = bytes(HEADER + "a,x,1,0,0\na,?,1,0,0\n");
    notUtf8[HEADER.length() + 12] = (byte) 0xff;
    assertMalformed(folder, notUtf8, "t: line 1: is not UTF-8, expected a text file");
    assertMalformed(
        folder,
        bytes(HEADER + "x".repeat(100_000)),
        "t: line 2: is longer than 65536 characters, expected a text file");
  }

  @Test
  void read_gzipCutShort_saysBeforeWhichEvent() throws IOException {
    StringBuilder csv = new StringBuilder(HEADER);
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      csv.append("a,%s,%s,0,%s%n".formatted(i, random.nextInt(1 << 30), i));
    }
    byte[] packed = gzip(bytes(csv.toString()));

    byte[] trailerCut = Arrays.copyOf(packed, packed.length - 4);
    assertMalformed(
        folder,
        trailerCut,
        "t: line 1002: the gzip file is cut short or damaged here, before event 1001");
    byte[] cut = Arrays.copyOf(packed, 12);
    assertMalformed(folder, cut, "t: the gzip file is cut short or damaged here");
  }

  @Test
  void read_rmmLog_givesItsEvents() throws IOException {
    String log =
        RMM
            + "140,10:15:30.000001,allocate,0x7f00,256,0x0\n"
            + "140,10:15:30.000002,allocate failure,(nil),1024,0x0\n"
            + "140,10:15:30:000003,free,0x7f00,256,0x2\n"
            + "140,10:15:30.000004,allocate,7F00,512,a\n"
            + "140,10:15:30.000005,allocate,(nil),0,0\n"
            + "140,10:15:30.000006,free,(nil),0,0\n";
    long second = 36_930_000_000L;

    assertThat(events(folder, bytes(log)))
        .containsExactly(
            new Allocate("0", 256, 0, second + 1),
            new Fail(new Allocate("1", 1024, 0, second + 2)),
            new Free("0", 2, second + 3),
            new Allocate("2", 512, 10, second + 4),
            new Allocate("3", 0, 0, second + 5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "1,10:15:30.000001,grow,0x1,2,0;event 1 has Action 'grow', expected allocate, allocate"
            + " failure or free",
        "1,noon,free,0x1,2,0;event 1 has Time 'noon', expected one such as 10:15:30.123456",
        "1,10:15:30.000001,free,0xg,2,0;event 1 has Pointer '0xg', expected a hexadecimal number"
            + " of 64 bits",
        "1,10:15:30.000001,free,0x1,-2,0;event 1 has Size '-2', expected a number of bytes from 0"
            + " to 2^63 - 1",
        "1,10:15:30.000001,free,0x1,2,?;event 1 has Stream '?', expected a hexadecimal number of"
            + " 64 bits",
        "1,10:15:30.000001,free,0x1,2,0;event 1 frees '0x1', which is not live: never allocated,"
            + " or freed before",
        "1,2;event 1 has 2 fields, expected 6 (Thread,Time,Action,Pointer,Size,Stream)",
      })
  void read_wrongRmmEvent_saysLineAndEvent(String line, String problem) {
    assertMalformed(folder, bytes(RMM + line + "\n"), "t: line 2: " + problem);
  }

  @Test
  void read_rmmPointerThatIsLive_isAnError() {
    String line = "1,10:15:30.000001,allocate,0x1,2,0\n";
    assertMalformed(
        folder, bytes(RMM + line + line), "t: line 3: event 2 allocates '0x1', which is live");
  }
}
