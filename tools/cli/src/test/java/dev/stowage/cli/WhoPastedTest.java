package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Texts that people paste; the acceptance checks have whole ones. */
class WhoPastedTest {

  private static final String TRACKING =
      """
      71:

      Native Memory Tracking:

      Total: reserved=1631932KB, committed=367400KB
      -                 Java Heap (reserved=131072KB, committed=131072KB)
                                  (mmap: reserved=131072KB, committed=131072KB)
      """;

  private static final String STATUS =
      "Name:\tjava\nPid:\t71\nVmRSS:\t  486040 kB\nRssAnon:\t400000 kB\nRssFile:\t 86040 kB\n";

  private static final String ROLLUP =
      """
      f8000000-ffffe5c27000 ---p 00000000 00:00 0                              [rollup]
      Rss:              198904 kB
      Pss:              197331 kB
      Anonymous:        181880 kB
      """;

  private static final String SMAPS =
      """
      f8000000-fc000000 rw-p 00000000 00:00 0
      Size:              65536 kB
      Rss:               60000 kB
      Anonymous:         60000 kB
      7f0000000000-7f0000001000 r-xp 00000000 00:00 0     /usr/lib/libc.so.6
      Size:                  4 kB
      Rss:                   4 kB
      """;

  private static final String PMAP =
      """
      71:   /jdk/bin/java -Xmx64m Made
      Address           Kbytes     RSS   Dirty Mode  Mapping
      00000000fc000000   65536   60000   60000 rw---   [ anon ]
      000055976cf6e000       4       4       0 r-x-- java
      000055976d464000     284     108     108 rw---   [ anon ]
      00007f7610000000     132      84      84 rw---   [ anon ]
      00007f7610021000   65404       0       0 -----   [ anon ]
      00007f76ac4eb000      40      40       0 r-x-- libc.so.6
      00007ffc56adc000     132      32      32 rw---   [ stack ]
      ---------------- ------- ------- -------
      total kB          131532   60268   60224
      """;

  private static final String VM_INFO =
      """
      Process Memory:
      Resident Set Size: 755832K (peak: 756012K) (anon: 751315K, file: 3236K, shmem: 1280K)
      C-Heap outstanding allocations: 46526K, retained: 2104565K (may have wrapped)
      container (cgroup) information:
      memory_limit_in_bytes: 8388608 k
      """;

  private static final String POD =
      """
      Containers:
        api:
          State:          Running
          Last State:     Terminated
            Reason:       OOMKilled
            Exit Code:    137
          Limits:
            cpu:     1
            memory:  2000Mi
          Requests:
            memory:  1000Mi
          Environment:
            JAVA_TOOL_OPTIONS:  -XX:MaxRAMPercentage=80
        sidecar:
          State:          Running
          Limits:
            memory:  64Mi
      """;

  private static final String KILL =
      """
      Oct 27 02:20:14 host kernel: [1.5] java invoked oom-killer: gfp_mask=0xcc0, order=0
      Oct 27 02:20:14 host kernel: [1.5] memory: usage 524288kB, limit 524288kB, failcnt 4
      Oct 27 02:20:14 host kernel: [1.6] Memory cgroup out of memory: Killed process 4711 (java) \
      total-vm:1925104kB, anon-rss:516924kB, file-rss:10852kB, shmem-rss:0kB
      Oct 27 02:20:15 host kernel: [1.7] oom_reaper: reaped process 4711 (java), now anon-rss:0kB, \
      file-rss:4kB, shmem-rss:0kB
      """;

  @TempDir private Path folder;

  @Test
  void who_podWithoutALimit_doesNotAskForItsTextAgain() throws IOException {
    String pod = POD.substring(0, POD.indexOf("    Limits:"));

    assertThat(answer(pod))
        .contains("api was killed for a lack of memory")
        .doesNotContain("kubectl");
  }

  static List<String> texts() {
    return List.of(TRACKING, STATUS, ROLLUP, SMAPS, PMAP, VM_INFO, POD, KILL);
  }

  private String answer(String text) throws IOException {
    CommandRun run = CommandRun.of("who", Files.writeString(folder.resolve("text.txt"), text));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    return run.out();
  }

  private JsonNode json(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("text.txt"), text);
    return new JsonMapper().readTree(CommandRun.of("who", file, "--format", "json").out());
  }

  private static String first(String answer) {
    return answer.substring(0, answer.indexOf('\n'));
  }

  @Test
  void who_trackingAndStatus_namesTheBytesThatAreNotTracked() throws IOException {
    assertThat(first(answer(STATUS + "\n$ jcmd 71 VM.native_memory\n" + TRACKING)))
        .isEqualTo(
            "474.648 MiB (497,704,960 bytes) are resident, of which 390.625 MiB are anonymous."
                + " Native Memory Tracking counts 358.789 MiB (376,217,600 bytes) as"
                + " committed, the largest purpose is Java Heap (128.000 MiB, 35.7 %). Native"
                + " Memory Tracking does not count at least 115.859 MiB of the resident bytes: files,"
                + " libraries, native code or free memory of the C library.");
  }

  @Test
  void who_textsOfTwoProcesses_doesNotCompareThem() throws IOException {
    assertThat(answer(STATUS.replace("71", "72") + TRACKING))
        .contains(
            "The resident bytes and the tracked bytes are of two processes, so that they are not"
                + " compared.")
        .doesNotContain("does not count");
  }

  @Test
  void who_aTrackingThatIsCut_namesTheCommandForTheRest() throws IOException {
    assertThat(answer(TRACKING))
        .contains("Not in the texts: the resident bytes. cat /proc/71/smaps prints it.\n")
        .contains(
            "Not in the texts: 230.789 MiB of committed memory, as its text is cut. jcmd 71"
                + " VM.native_memory summary prints it.\n");
  }

  @Test
  void who_pmap_dividesTheMemory() throws IOException {
    JsonNode answer = json(PMAP);

    assertThat(answer.get("resident_bytes").longValue()).isEqualTo(60_268L << 10);
    assertThat(answer.get("pid").longValue()).isEqualTo(71);
    assertThat(answer.get("parts"))
        .extracting(
            part -> part.get("owner").asString() + " " + (part.get("bytes").longValue() >> 10))
        .containsExactly("java_heap 60000", "c_heap 192", "libraries 44", "thread_stacks 32");
  }

  /** The name of the pod is not that of the process, and the limit of a sidecar is not its own. */
  @Test
  void who_podAndPmap_hasTheNameOfTheProcessAndTheLimitOfItsContainer() throws IOException {
    String text = "Name:   api-0\nNamespace:   app\n" + POD + "\n$ pmap -x 71\n" + PMAP;

    assertThat(first(answer(text))).startsWith("Process 71, java: The container api was killed");
    assertThat(json(text).get("limit_bytes").longValue()).isEqualTo(2000L << 20);
  }

  @Test
  void who_smapsRollup_hasPartsThatAddUp() throws IOException {
    JsonNode answer = json(ROLLUP);

    assertThat(answer.get("resident_bytes").longValue()).isEqualTo(198_904L << 10);
    assertThat(
            answer
                .get("parts")
                .valueStream()
                .mapToLong(part -> part.get("bytes").longValue())
                .sum())
        .isEqualTo(198_904L << 10);
  }

  /** The virtual machine rounds each figure. */
  @Test
  void who_vmInfo_hasTheRoundingAsAPart() throws IOException {
    assertThat(json(VM_INFO).get("parts"))
        .extracting(
            part -> part.get("owner").asString() + " " + (part.get("bytes").longValue() >> 10))
        .contains("rounding 1");
    assertThat(json(VM_INFO).get("limit_bytes").longValue()).isEqualTo(8L << 30);
  }

  /** vscode-java#3395. */
  @Test
  void who_retainedBytes_namesTheTrim() throws IOException {
    assertThat(
            first(
                answer(
                    "C-Heap outstanding allocations: 46526K, retained: 2104565K (may have wrapped)")))
        .isEqualTo(
            "The C library keeps at least 2.007 GiB (2,155,074,560 bytes) of free memory, and 45.436"
                + " MiB are in use; a trim returns the free pages (jcmd PID System.trim_native_heap,"
                + " or -XX:TrimNativeHeapInterval=60000 at the next start).");
  }

  /** vcell#1899: 80 % for the heap leave too little for the rest. */
  @Test
  void who_podThatWasKilled_namesTheRoomBesideTheHeap() throws IOException {
    assertThat(first(answer(POD + "\n$ grep VmRSS /proc/1/status\nVmRSS:\t 1980416 kB\n")))
        .isEqualTo(
            "The container api was killed for a lack of memory. 1.889 GiB (2,027,945,984 bytes) are"
                + " resident. The limit is 1.953 GiB (2,097,152,000 bytes), and the resident bytes are"
                + " 96.7 % of it. The heap may grow to 1.563 GiB, which leaves 400.000 MiB for the"
                + " rest of the process.");
  }

  @Test
  void who_kill_namesTheVictimAndTheLimit() throws IOException {
    assertThat(first(answer(KILL)))
        .isEqualTo(
            "Linux killed java (4711) because its control group had reached its limit. 515.406 MiB"
                + " (540,442,624 bytes) are resident, of which 504.809 MiB are anonymous. The"
                + " limit is 512.000 MiB (536,870,912 bytes), and the resident bytes are 100.7 % of"
                + " it.");
  }

  @ParameterizedTest
  @MethodSource("texts")
  void who_quotedPrefixedAndWithCarriageReturns_isTheSame(String text) throws IOException {
    for (String prefix : List.of("> ", "2025-02-23T09:46:30.123Z app-1 stdout F ")) {
      String quoted = text.lines().map(line -> prefix + line).collect(Collectors.joining("\r\n"));
      assertThat(answer(quoted)).isEqualTo(answer(text));
    }
  }

  /** A text that is cut anywhere has an answer, or a sentence that says what is expected. */
  @ParameterizedTest
  @MethodSource("texts")
  void who_anyCut_isAnAnswerOrASentence(String text) throws IOException {
    String mixed = text + TRACKING + POD;
    for (String whole : List.of(text, mixed)) {
      for (int end = 1; end < whole.length(); end += 7) {
        Path file = Files.writeString(folder.resolve("cut.txt"), whole.substring(end / 3, end));
        CommandRun run = CommandRun.of("who", file, "--format", "json");
        if (run.exitCode() == ExitCode.DONE) {
          assertThat(run.out()).startsWith("{").contains("\"missing\":");
        } else {
          assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
          assertThat(run.err()).contains("has no figures on the memory of a process");
        }
      }
    }
  }

  @Test
  void who_severalFiles_areOneText() throws IOException {
    Path one = Files.writeString(folder.resolve("one.txt"), TRACKING);
    Path other = Files.writeString(folder.resolve("other.txt"), STATUS);

    assertThat(CommandRun.of("who", one, other).out()).isEqualTo(answer(TRACKING + STATUS));
  }

  @Test
  void who_textOfAFailure_namesExplain() {
    Path file = Path.of("examples/failures/netty.txt");
    CommandRun run = CommandRun.of("who", file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: is the text of a failure; run: stowage explain %s\n"
                .formatted(file, file));
  }

  @Test
  void who_otherText_saysWhatItReads() throws IOException {
    Path file = Files.writeString(folder.resolve("other.txt"), "Hello.\n");
    CommandRun run = CommandRun.of("who", file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + file
                + ": has no figures on the memory of a process, expected a dump, the output of jcmd"
                + " VM.native_memory or VM.info, an hs_err file, smaps, smaps_rollup, pmap -x, kubectl"
                + " describe pod, or the kernel's report of a kill\n");
  }
}
