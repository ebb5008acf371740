package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The memory of a process that waits. */
class WhoCommandTest {

  @TempDir private Path folder;

  private Process process;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
    process = new ProcessBuilder("cat").start();
    // The process has the memory of cat after exec, when the pipe answers.
    process.getOutputStream().write('x');
    process.getOutputStream().flush();
    assertThat(process.getInputStream().read()).isEqualTo('x');
  }

  @AfterEach
  void stop() {
    if (process != null) {
      process.destroy();
    }
  }

  @Test
  void who_table_endsWithTheSum() {
    CommandRun run = CommandRun.of("who", process.pid());

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: process "
                + process.pid()
                + ": the process is not a Java virtual machine, so all figures are from the kernel\n");
    assertThat(run.out())
        .startsWith("Process " + process.pid() + ", cat: ")
        .containsPattern("\n  libraries +[0-9,]+ +[0-9.]+ [KM]iB +[0-9.]+ %\n")
        .containsPattern("\n  resident +[0-9,]+ +[0-9.]+ [KM]iB +100.0 %\n");
  }

  @Test
  void who_json_hasPartsThatAddUp() {
    JsonNode line =
        new JsonMapper().readTree(CommandRun.of("who", process.pid(), "--format", "json").out());

    assertThat(line.get("pid").longValue()).isEqualTo(process.pid());
    assertThat(line.get("command").asString()).isEqualTo("cat");
    long sum = 0;
    for (JsonNode part : line.get("parts")) {
      assertThat(part.get("owner").asString()).matches("[a-z_]+");
      sum += part.get("bytes").longValue();
    }
    assertThat(sum).isPositive().isEqualTo(line.get("resident_bytes").longValue());
  }

  @ParameterizedTest
  @CsvSource({"PID", "99999999999999999999", "my-service", "'no word'", "PID --gc"})
  void who_aWordThatIsNoFile_exits2(String words) {
    String word = words.replace(" --gc", "");
    CommandRun run =
        words.equals(word) ? CommandRun.of("who", word) : CommandRun.of("who", word, "--gc");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith(
            "stowage: PROCESS is '"
                + word
                + "', which is no number and no file; jps lists the Java processes\n");
  }

  @ParameterizedTest
  @CsvSource({
    "--gc, '--gc needs a running process, but ''dump.txt'' is a dump'",
    "--output=x.json, '--output is ''x.json'', expected a name that ends in .html or .txt'",
  })
  void who_optionsThatDoNotFit_exits2(String option, String message) {
    CommandRun run = CommandRun.of("who", "dump.txt", option);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({
    "a.txt --every 1, '--every needs one running process, but PROCESS is ''a.txt'''",
    "7 8 --every 1, '--every needs one running process, but PROCESS is ''7 8'''",
    "7 --for 1m, 'Missing required argument(s): --every=TIME'",
    "7 --every 1s --output x.txt, '--output is ''x.txt'', expected a name that ends in .html'",
    "a.txt b.txt --output x.txt, '--output is ''x.txt'', expected a name that ends in .html'",
    "7 --every 1s --trim, '--trim changes the growth of a process; use it without --every'",
    "7 --every soon, ' ''soon'' is not a time above 0'",
  })
  void who_timesThatDoNotFit_exits2(String options, String message) {
    CommandRun run = CommandRun.of((Object[]) ("who " + options).split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(message);
  }

  /** The interval has no effect on the figures of a process that waits. */
  @Test
  void who_every_printsThatNothingGrows() throws IOException {
    Path page = folder.resolve("growth.html");
    CommandRun run =
        CommandRun.of("who", process.pid(), "--every", "0.001", "--for", "0.001", "--output", page);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .startsWith(
            "Process " + process.pid() + ", cat: Nothing grows by 1.0 MiB or more.\n2 samples in ")
        .containsPattern("\n  libraries +[0-9.]+ [KM]iB +[0-9.]+ [KM]iB +0 B");
    assertThat(Files.readString(page))
        .contains("Nothing grows by 1.0\u00a0MiB or more", "class=\"part-bar\"");
  }

  private Path dump(String name, int seconds, int mebibytes) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        String.format(
            Locale.ROOT,
            """
            == status
            Name: java
            Pid: 7
            == time
            %d
            == smaps
            100000-200000 rw-p 0 00:00 0 [heap]
            Rss: %d kB
            == System.native_heap_info
            <heap nr="0">
            </heap>
            <total type="rest" count="1" size="%d"/>
            <total type="mmap" count="0" size="0"/>
            <system type="current" size="%d"/>
            """,
            1_700_000_000 + seconds,
            mebibytes << 10,
            (mebibytes - 5L) << 20,
            (long) mebibytes << 20));
  }

  @Test
  void who_twoDumps_printTheGrowthAndItsCause() throws IOException {
    Path after = dump("after.txt", 5400, 40);
    Path page = folder.resolve("growth.html");
    CommandRun run = CommandRun.of("who", after, dump("before.txt", 0, 10), "--output", page);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .isEqualTo(
            """
            Process 7, java: The growth of C heap by 30.0 MiB comes from fragmentation, not a leak. The free memory of the C heap grows more than its memory in use.
            2 samples in 1 h 30 min; six or more show the course of a growth.

            OWNER          first      last     growth   per hour
              C heap    10.0 MiB  40.0 MiB  +30.0 MiB  +20.0 MiB
              resident  10.0 MiB  40.0 MiB  +30.0 MiB  +20.0 MiB
            """);
    assertThat(Files.readString(page))
        .contains(
            "<p class=\"figure\">+30.0 MiB</p>", "comes from fragmentation, not a leak. The free")
        .contains("10.000 MiB</span>", "40.000 MiB</span>", "title=\"C heap: 41,943,040 bytes");
  }

  /** {@return the dump of a virtual machine without tracking, whose C heap is in use} */
  private Path untracked(String name, int seconds, int mebibytes) throws IOException {
    Path dump = dump(name, seconds, mebibytes);
    return Files.writeString(
        dump,
        Files.readString(dump)
                .replaceAll(
                    "type=\"rest\" count=\"1\" size=\"\\d+\"",
                    "type=\"rest\" count=\"0\" size=\"0\"")
            + "== VM.flags\n-XX:+UseG1GC\n== System.map\nNMT is disabled\n");
  }

  @Test
  void who_requestsOfNoKnownPurpose_endWithTheOptionThatNamesIt() throws IOException {
    Path last = untracked("last.txt", 60, 100);
    Path growthPage = folder.resolve("growth.html");
    Path page = folder.resolve("who.html");
    CommandRun growth =
        CommandRun.of("who", untracked("first.txt", 0, 10), last, "--output", growthPage);
    CommandRun moment = CommandRun.of("who", last, "--output", page);

    assertThat(growth.out())
        .startsWith(
            "Process 7, java: The growth of C heap by 90.0 MiB comes from direct buffers, arenas of"
                + " the FFM API or native code. The C library has more memory in use. At the next"
                + " start, -XX:NativeMemoryTracking=summary names the purpose, and"
                + " -XX:MaxDirectMemorySize limits direct buffers.\n");
    assertThat(answer(growthPage)).contains(">-XX:NativeMemoryTracking=summary<");
    assertThat(moment.out())
        .contains(
            """
             Requests to the C library have 100 MiB. They can be of direct buffers, arenas of the FFM API, the virtual machine or native libraries.
            The parts add up to the resident bytes that the kernel reports.
              Now, tells whether they grow:
                stowage who 7 --every 10s --for 10m
              At the next start, tells their purpose:
                -XX:NativeMemoryTracking=summary
            """);
    assertThat(answer(page)).contains(">stowage who 7 --every 10s --for 10m<");
  }

  /** {@return the part of a page above its first heading of a section} */
  private static String answer(Path page) throws IOException {
    String text = Files.readString(page);
    int body = text.indexOf("<body");
    return text.substring(body, text.indexOf("<h2", body));
  }

  @Test
  void who_dumpsAsJson_haveSamplesPartsAndVerdicts() throws IOException {
    JsonNode line =
        new JsonMapper()
            .readTree(
                CommandRun.of(
                        "who",
                        dump("before.txt", 0, 10),
                        dump("after.txt", 60, 12),
                        "--format",
                        "json")
                    .out());

    assertThat(line.get("seconds").asDouble()).isEqualTo(60);
    assertThat(line.get("samples").get(1).get("time").asString()).isEqualTo("2023-11-14T22:14:20Z");
    assertThat(line.get("samples").get(1).get("parts").get("c_heap").longValue())
        .isEqualTo(12L << 20);
    JsonNode part = line.get("parts").get(0);
    assertThat(part.get("owner").asString()).isEqualTo("c_heap");
    assertThat(part.get("growth_bytes").longValue()).isEqualTo(2L << 20);
    assertThat(part.get("bytes_per_hour").longValue()).isEqualTo(120L << 20);
    JsonNode verdict = line.get("verdicts").get(0);
    assertThat(verdict.get("cause").asString()).isEqualTo("fragmentation");
    assertThat(verdict.get("owners").get(0).asString()).isEqualTo("c_heap");
    assertThat(verdict.get("course").asString()).isEqualTo("few_samples");
  }

  @Test
  void who_dumpsOfWhichOneIsMissing_exits3() throws IOException {
    CommandRun run = CommandRun.of("who", dump("a.txt", 0, 10), folder.resolve("none.txt"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("none.txt: cannot be read: there is no such file or folder");
  }

  @Test
  void who_aSignalBeforeTheFirstSample_printsNothing() {
    CommandRun run = CommandRun.interrupted("who", process.pid(), "--every", "1h");

    assertThat(run.exitCode()).isEqualTo(ExitCode.interrupted(15));
    assertThat(run.out()).isEmpty();
  }

  @Test
  void who_page_hasTheOwnersTheLimitAndTheRemedies() throws IOException {
    Path dump = dump("wasteful.txt", 0, 64);
    Files.writeString(
        dump,
        Files.readString(dump)
                .replace(
                    "</heap>",
                    "<sizes><size from=\"8001\" to=\"9000\" total=\"58720256\" count=\"100\"/></sizes>\n</heap>")
            + "== memory.max\n268435456\n== memory.current\n94371840\n");
    Path page = folder.resolve("who.html");

    CommandRun run = CommandRun.of("who", dump, "--output", page);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).endsWith("stowage: wrote " + page + "\n");
    assertThat(Files.readString(page))
        .contains("<title>Process 7, java</title>")
        .contains(
            "C heap 64.000 MiB</span>", "limit 256.000 MiB</span>", "<b style=\"left:100.000%")
        .contains(
            "<p class=\"figure\">64.000 MiB</p>",
            "<p class=\"sentence\">64.000\u00a0MiB (67,108,864\u00a0bytes) are resident; the largest part is C heap")
        .contains("of free pages in 1 arena", ">stowage who 7 --trim<")
        .contains("At the next start, in the environment:", ">MALLOC_ARENA_MAX=2<")
        .contains("<td class=\"text\">\u2003in use in 1 arena</td>")
        .contains("<dt>note</dt>");
  }

  /** The figures in a dump are those that were printed with it. */
  @Test
  void who_aDump_hasTheSameFigures() throws IOException {
    Path dump = folder.resolve("cat.txt");
    CommandRun live =
        CommandRun.of("who", process.pid(), "--format", "json", "--output", dump.toString());
    CommandRun read = CommandRun.of("who", dump.toString(), "--format", "json");

    assertThat(live.err()).contains("stowage: wrote " + dump);
    assertThat(read.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(read.out()).isEqualTo(live.out());
  }

  @Test
  void who_aFileThatIsNoDump_exits3() throws IOException {
    Path other = Files.writeString(folder.resolve("other.txt"), "== status\nName: x\n");
    CommandRun run = CommandRun.of("who", other.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + other
                + ": the dump has no mappings, expected a section '== smaps' with the content of"
                + " /proc/PID/smaps\n");
    assertThat(CommandRun.of("who", folder.resolve("none.txt").toString()).err())
        .contains("there is no such file or folder");
  }

  @Test
  void who_noSuchProcess_exits3() {
    CommandRun run = CommandRun.of("who", Integer.MAX_VALUE);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: process 2147483647: does not exist or has ended, expected the number of a"
                + " running process on Linux\n");
  }
}
