package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.browser.PageContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class ReplayCommandTest {

  /*
   * One region of 1024 bytes: a gets [0, 256), b gets [256, 768), which is the peak, and c1 fails.
   */
  private static final String TRACE =
      "op,id,bytes,stream,t\na,a,100,0,0\na,b,400,0,1\nf,a,,0,2\na,c1,512,0,3\na,z,0,0,4\n";

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void replay_json_hasTheFieldsOfTheContract() throws IOException {
    Path trace = file("t.csv", TRACE);

    CommandRun run =
        CommandRun.of(
            "replay",
            trace,
            "--no-growth",
            "--limit",
            "1KiB",
            "--max-dead",
            "256",
            "--format",
            "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith(
            "{\"input\":\"%s\",\"events\":5,\"allocations\":4,\"frees\":1,\"failures\":1,"
                    .formatted(trace)
                + "\"peak_requested_bytes\":500,\"peak_in_use_bytes\":768,\"reserved_bytes\":1024,"
                + "\"peak_reserved_bytes\":1024,\"regions\":[1024],\"external_fragmentation\":0.0,"
                + "\"internal_fragmentation\":0.34895833333333337,\"seconds\":")
        .endsWith("}\n");
    JsonNode line = new JsonMapper().readTree(run.out());
    assertThat(line.get("seconds").doubleValue()).isPositive();
    assertThat(line.get("never_freed_bytes").longValue()).isEqualTo(400);
  }

  @Test
  void replay_table_isForPeople() throws IOException {
    Path trace = file("t.csv", TRACE);

    CommandRun run =
        CommandRun.of("replay", trace, "--no-growth", "--limit", "1KiB", "--max-dead", "256");

    assertThat(run.out())
        .isEqualTo(
            trace
                + """
                : A request of 512 bytes fails at event 4: 512 bytes are free, but the largest hole has 256 bytes.
                Confidence: exact.
                First failure, event 4, 'c1': allocator 'replay' is out of memory:
                  512 bytes requested.
                  Enough bytes are free, but no hole is large enough: of 512 bytes, the largest free chunk has 256 bytes, 256 bytes too few.
                  The request would have passed with a limit higher by 512 bytes, or without allocation 2 of 400 bytes, and might have passed with a limit higher by 256 bytes from the start.
                  In use: 512 bytes; reserved: 1 KiB; limit: 1 KiB (1,024 bytes).
                Replayed with a BFC allocator with --no-growth --limit 1KiB --max-dead 256.
                4 allocations and 1 free, 1 failed.

                PEAK         bytes             over requested
                  requested    500      500 B
                  in use       768      768 B         +53.6 %
                  reserved   1,024  1.000 KiB        +104.8 %

                Reserved at the end: 1,024 bytes (1.000 KiB) in 1 region; never freed: 400 bytes.
                Fragmentation at the peak of bytes in use: external 0.0 %, internal 34.9 %.
                """);
  }

  /** A snapshot with a block of 2048 bytes that is older than an allocation of 100 bytes. */
  private Path snapshot() throws IOException {
    String history = item("action", "alloc") + item("addr", 512) + item("size", 100);
    String older = item("size", 2048) + item("state", "active_allocated");
    String segment = item("address", 4096) + item("total_size", 2048);
    String other = item("action", "free_completed") + item("addr", 7) + item("size", 1);
    String root =
        "\u0080\u0004}(%s](](}(%sue](}(%suee%s](}(%s%s](}(%sueueu."
            .formatted(
                text("device_traces"),
                history,
                other,
                text("segments"),
                segment,
                text("blocks"),
                older);
    return Files.write(folder.resolve("s.pickle"), root.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String text(String text) {
    return "X" + (char) text.length() + "\0\0\0" + text;
  }

  private static String item(String key, String value) {
    return text(key) + text(value);
  }

  private static String item(String key, int value) {
    return text(key) + "M" + (char) (value & 0xff) + (char) (value >> 8);
  }

  @Test
  void replay_snapshot_reportsOlderMemoryAndTheBytesOfPytorch() throws IOException {
    Path trace = snapshot();

    CommandRun json = CommandRun.of("replay", trace, "--format", "json");
    CommandRun table = CommandRun.of("replay", trace);

    assertThat(json.out())
        .contains(
            "\"events\":1,\"allocations\":1,\"frees\":0,\"failures\":0,\"peak_requested_bytes\":2148,")
        .endsWith(",\"older_blocks\":1,\"older_bytes\":2048,\"recorded_reserved_bytes\":2048}\n");
    assertThat(json.err())
        .isEqualTo(
            """
            stowage: note: %1$s: replayed device 0; --device N replays another one: 1 (1 event)
            stowage: note: %1$s: 1 event of the recording contradicts its segments, as if it had\
             lost events; addresses may differ from the recorded ones
            """
                .formatted(trace));
    assertThat(table.out())
        .startsWith(
            """
            %s: PyTorch's caching allocator reserves 2.002 MiB (2,099,200 bytes) at the peak for\
             2.098 KiB (2,148 bytes) that the program requests, 97,628.1 %% more.
            Confidence: estimate.
              1 recorded event does not agree with the segments, as if the recording had lost events.
              With the recorded settings, 0 of 1 allocations lie at the recorded address.
            Replayed with PyTorch's caching allocator with its defaults, by the rules of PyTorch 2.13.
            1 allocation and 0 frees, 0 failed.
            In use before the recording: 1 block with 2,048 bytes (2.000 KiB).
            Reserved by PyTorch at the end of the recording: 2,048 bytes (2.000 KiB).
            At the recorded address: 0 of 1 allocation.

            PEAK\
            """
                .formatted(trace));
  }

  @Test
  void replay_fileOfAHostileName_isPrintedHarmlessly() throws IOException {
    Path trace = file("a\n\u001b[31m\u202Egnp.csv", TRACE);
    Path page = folder.resolve("p.html");

    CommandRun run = CommandRun.of("replay", trace, "--output", page);

    assertThat(run.out()).startsWith(folder + "/a??[31m?gnp.csv: A BFC allocator reserves ");
    assertThat(Files.readString(page)).contains("<title>a??[31m?gnp.csv</title>");
  }

  @Test
  void replay_severalTraces_areReportedTogether() throws IOException {
    Path trace = file("t.csv", TRACE);
    Path rmm =
        file(
            "log.txt",
            "Thread,Time,Action,Pointer,Size,Stream\n1,10:15:30.000001,allocate,0x7f00,256,0x0\n");

    CommandRun json = CommandRun.of("replay", trace, "missing.csv", rmm, "--format", "json");
    CommandRun table = CommandRun.of("replay", trace, rmm);

    assertThat(json.out().lines()).hasSize(2);
    assertThat(json.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(json.err()).isEqualTo("stowage: missing.csv: does not exist\n");
    assertThat(table.out())
        .contains("\nNo request fails in 2 replays.\n")
        .containsPattern("\n  t, bfc, defaults +0 ")
        .containsPattern("\n  log, rmm, defaults +0 ");
  }

  @Test
  void replay_placements_sayWhereEachRequestWent() throws IOException {
    Path trace = file("t.csv", TRACE + "a,q\"q,0,0,5\n");
    Path placements = folder.resolve("p.csv");

    CommandRun run =
        CommandRun.of(
            "replay", trace, "--no-growth", "--limit", "1KiB", "--placements", placements);

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err()).isEqualTo("stowage: wrote " + placements + "\n");
    assertThat(Files.readString(placements))
        .isEqualTo(
            "id,bytes,region,offset\na,100,0,0\nb,400,0,256\nc1,512,,\nz,0,,\n\"q\"\"q\",0,,\n");
  }

  @Test
  void replay_options_reachTheAllocator() throws IOException {
    String ask = "op,id,bytes,stream,t\na,0,1024,,\nf,0,,,\na,1,768,,\na,2,4096,,\n";
    Path trace = file("t.csv", ask);

    assertThat(regions(trace, "--first-region", "1KiB")).isEqualTo(List.of(1024L, 4096L));
    assertThat(regions(trace, "--first-region", "1KiB", "--limit", "5000"))
        .isEqualTo(List.of(1024L));
    assertThat(regions(trace, "--growth")).isEqualTo(List.of(1L << 20));
    assertThat(inUse(trace, "--first-region", "1KiB", "--max-dead", "256")).isEqualTo(4864);
    assertThat(inUse(trace, "--first-region", "1KiB")).isEqualTo(5120);
    Path freed = file("f.csv", "op,id,bytes,stream,t\na,0,1024,,\nf,0,,,\na,2,4096,,\n");
    assertThat(regions(freed, "--first-region", "1KiB", "--limit", "4096"))
        .isEqualTo(List.of(1024L));
    assertThat(regions(freed, "--first-region", "1KiB", "--limit", "4096", "--garbage-collect"))
        .isEqualTo(List.of(4096L));
  }

  private static JsonNode json(Path trace, String... options) {
    Object[] args = new Object[options.length + 4];
    args[0] = "replay";
    args[1] = trace;
    args[2] = "--format";
    args[3] = "json";
    System.arraycopy(options, 0, args, 4, options.length);
    CommandRun run = CommandRun.of(args);
    assertThat(run.err()).isEmpty();
    return new JsonMapper().readTree(run.out());
  }

  private static List<Long> regions(Path trace, String... options) {
    return json(trace, options).get("regions").valueStream().map(JsonNode::longValue).toList();
  }

  private static long inUse(Path trace, String... options) {
    return json(trace, options).get("peak_in_use_bytes").longValue();
  }

  @Test
  void replay_invalidEvent_exits3() throws IOException {
    Path trace = file("t.csv", TRACE + "f,x,,0,5\nf,y,,0,6\n");

    CommandRun strict = CommandRun.of("replay", trace, "--format", "json");

    String problem =
        "line 7: event 6 frees 'x', which is not live: never allocated, or freed before";
    assertThat(strict.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(strict.out()).isEmpty();
    assertThat(strict.err()).isEqualTo("stowage: %s: %s\n".formatted(trace, problem));
  }

  @Test
  void replay_unreadable_exits3() throws IOException {
    assertThat(CommandRun.of("replay", folder).err())
        .isEqualTo(
            "stowage: %s: has no traces, expected snapshots of PyTorch (.pickle), logs of XLA, recordings of JDK Flight Recorder (.jfr) or .csv files\n"
                .formatted(folder));
    Path empty = file("e.csv", "");
    CommandRun run = CommandRun.of("replay", empty);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).isEqualTo("stowage: %s: is empty, expected a trace\n".formatted(empty));
  }

  @Test
  void replay_placementsThatCannotBeWritten_exits1() throws IOException {
    Path trace = file("t.csv", TRACE);

    CommandRun run = CommandRun.of("replay", trace, "--placements", folder.resolve("no/p.csv"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: cannot be written: the folder %s does not exist; create it first\n"
                .formatted(folder.resolve("no/p.csv"), folder.resolve("no")));
  }

  @Test
  void replay_placementsOverTheInput_isRefused() throws IOException {
    Path trace = file("t.csv", TRACE);

    CommandRun run = CommandRun.of("replay", trace, "--placements", trace);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith(
            "stowage: --placements is '%s', which is the input; use another name\n"
                .formatted(trace));
    assertThat(Files.readString(trace)).isEqualTo(TRACE);
  }

  @Test
  void replay_output_isAPageOfTheTrace() throws IOException {
    Path trace = file("t.csv", TRACE);
    Path page = folder.resolve("P.HTML");
    Path placements = folder.resolve("p.csv");

    CommandRun run =
        CommandRun.of(
            "replay",
            trace,
            "--no-growth",
            "--limit",
            "1KiB",
            "--max-dead=256",
            "--format",
            "json",
            "--output",
            page,
            "--placements",
            placements);

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .isEqualTo("stowage: wrote %s\nstowage: wrote %s\n".formatted(placements, page));
    String html = Files.readString(page);
    assertThat(html)
        .contains("<title>t.csv</title>")
        .contains("BFC allocator with --no-growth --limit 1KiB --max-dead 256.</p>");
    assertThat(PageContent.of(html).get("events").asInt()).isEqualTo(5);
  }

  @Test
  void replay_outputOverTheInput_isRefused() throws IOException {
    Path trace = file("t.html", TRACE);

    CommandRun run = CommandRun.of("replay", trace, "--output", trace);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith(
            "stowage: --output is '%s', which is the input; use another name\n".formatted(trace));
    assertThat(Files.readString(trace)).isEqualTo(TRACE);
  }

  @Test
  void replay_oneFileThatCannotBeWritten_exits1AndTheOtherIsWritten() throws IOException {
    Path trace = file("t.csv", TRACE);
    Path page = folder.resolve("p.html");

    CommandRun run =
        CommandRun.of(
            "replay", trace, "--placements", folder.resolve("no/p.csv"), "--output", page);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).endsWith("stowage: wrote " + page + "\n");
    assertThat(page).exists();
  }

  @Test
  void replay_badTrace_writesNoSnapshot() throws IOException {
    Path trace = file("t.csv", TRACE + "f,x,,0,5\n");
    Path snapshot = folder.resolve("p.pickle");

    assertThat(CommandRun.of("replay", trace, "--output", snapshot).exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(trace);
    }
  }

  @Test
  void replay_snapshotAsOutput_isATrace() throws IOException {
    Path snapshot = folder.resolve("p.pickle");

    CommandRun run = CommandRun.of("replay", file("t.csv", TRACE), "--output", snapshot);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).endsWith("stowage: wrote " + snapshot + "\n");
    assertThat(CommandRun.of("replay", snapshot).exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void replay_badTrace_writesNoPage() throws IOException {
    Path trace = file("t.csv", TRACE + "f,x,,0,5\n");
    Path page = folder.resolve("p.html");

    assertThat(CommandRun.of("replay", trace, "--output", page).exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(page).doesNotExist();
  }

  /*
   *   | a 1024 | b 4096 |   a freed   |  free  | b 4096 | c 2048 |   c freed, the end is returned
   */
  @Test
  void replay_expandable_isOneRegionAsLongAsItHasToBe() throws IOException {
    String text = "op,id,bytes,stream,t\na,a,1024,,\na,b,4096,,\nf,a,,,\na,c,2048,,\nf,c,,,\n";
    Path trace = file("e.csv", text);
    Path placements = folder.resolve("p.csv");

    CommandRun run =
        CommandRun.of(
            "replay", trace, "--expandable", "--placements", placements, "--format", "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    JsonNode line = new JsonMapper().readTree(run.out());
    assertThat(line.get("peak_reserved_bytes").longValue()).isEqualTo(7168);
    assertThat(line.get("reserved_bytes").longValue()).isEqualTo(5120);
    assertThat(regions(trace, "--expandable")).isEqualTo(List.of(5120L));
    assertThat(Files.readString(placements))
        .isEqualTo("id,bytes,region,offset\na,1024,0,0\nb,4096,0,1024\nc,2048,0,5120\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "--no-growth;--no-growth needs the size of its region, expected --limit BYTES",
        "--no-growth --expandable;--no-growth, --expandable are mutually exclusive (specify only one)",
        "--growth --no-growth;--growth, --no-growth are mutually exclusive (specify only one)",
        "--limit 255;--limit is 255, expected 256 or more bytes",
        "--first-region 0;--first-region is 0, expected 1 or more bytes",
        "--max-dead 0;--max-dead is 0, expected 1 or more bytes",
        "t.csv --placements p.csv;`--placements writes one replay, but there are several traces or --settings;"
            + " --output FOLDER/ writes a page of each`",
        "t.csv --output p.pickle;`--output PATH.pickle writes one replay, but there are several traces or --settings;"
            + " --output FOLDER/ writes a page of each`",
        "--output p.svg;--output is 'p.svg', expected a name that ends in .html or .pickle",
        "--at peak;Invalid value for option '--at': 'peak' is not a whole number, expected one such as"
            + " 42",
        "--limit x;Invalid value for option '--limit': 'x' is not a number of bytes, expected one such"
            + " as 1048576, 64KiB or 9.25GB",
        "--format xml;Invalid value for option '--format': expected one of [table, json, csv]"
            + " (case-insensitive) but was 'xml'",
      })
  void replay_wrongCommandLine_exits2(String options, String message) {
    Object[] args = ("replay t.csv " + options).split(" ", -1);

    CommandRun run = CommandRun.of(args);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("stowage: " + message + "\nTry 'stowage replay --help'.\n");
  }

  @Test
  void replay_pageAndPlacementsInOneFile_isUsage() throws IOException {
    Path trace = file("t.csv", TRACE);
    Path both = folder.resolve("both.html");

    CommandRun run =
        CommandRun.of(
            "replay", trace, "--output", both, "--placements", folder.resolve("./both.html"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith(
            "stowage: --output is '%s', which is written twice; use another name".formatted(both));
    assertThat(both).doesNotExist();
  }

  @Test
  void replay_noGrowthToTheLargestNumber_isUsage() throws IOException {
    CommandRun run =
        CommandRun.of(
            "replay",
            file("t.csv", TRACE),
            "--no-growth",
            "--limit",
            Long.toString(Long.MAX_VALUE));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: --no-growth needs the size of its region");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void replay_placementsToADevice_writesToItAndLeavesItThere() throws Exception {
    Path trace = file("t.csv", TRACE);
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    CompletableFuture<String> read =
        CompletableFuture.supplyAsync(() -> {
          try {
            return Files.readString(pipe);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });

    CommandRun run = CommandRun.of("replay", trace, "--placements", pipe);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(read.get(60, TimeUnit.SECONDS)).startsWith("id,bytes,region,offset\na,100,0,0\n");
    assertThat(Files.isRegularFile(pipe)).isFalse();
  }
}
