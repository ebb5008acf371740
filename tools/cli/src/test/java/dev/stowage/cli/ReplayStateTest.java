package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A snapshot without a history is a state, which {@code replay} describes. */
class ReplayStateTest {

  private static final long MIB = 1 << 20;
  private static final Path EXAMPLE = Path.of("examples/state.pickle");

  @TempDir private Path folder;

  private static SnapshotPickle service(SnapshotPickle snapshot) {
    String[] attention = {"attention at /app/layers.py:120", "forward at /app/model.py:77"};
    String[] cache = {"append at /app/cache.py:33", "generate at /app/main.py:22"};
    return snapshot
        .older(448 * MIB, "load_weights at /app/model.py:41", "main at /app/main.py:12")
        .cached(64 * MIB)
        .segment(0, false)
        .older(96 * MIB, attention)
        .cached(64 * MIB)
        .older(96 * MIB, attention)
        .segment(0, false)
        .cached(128 * MIB)
        .segment(0, false)
        .older(MIB / 2, cache)
        .cached(MIB / 2)
        .older(MIB, cache)
        .segment(0, true);
  }

  @Test
  void example_isTheServiceOfThisTest() throws IOException {
    Path written = service(new SnapshotPickle()).write(folder.resolve("state.pickle"));
    if (Boolean.getBoolean("golden.update")) {
      Files.write(EXAMPLE, Files.readAllBytes(written));
    }
    assertThat(EXAMPLE).hasSameBinaryContentAs(written);
  }

  @Test
  void replay_state_isDescribedWithoutWordsOfAReplay() {
    CommandRun run = CommandRun.of("replay", EXAMPLE);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            examples/state.pickle: PyTorch holds 898.000 MiB (941,621,248 bytes): 641.500 MiB in use, 256.500 MiB cached; load_weights at /app/model.py:41 holds 448.000 MiB.
            The snapshot has no history, so that it shows one moment only.

            RESERVED               bytes               of reserved
              requested      672,661,504  641.500 MiB       71.4 %
              holes          134,742,016  128.500 MiB       14.3 %
              kept segments  134,217,728  128.000 MiB       14.3 %
              reserved       941,621,248  898.000 MiB      100.0 %

            holes: attention at /app/layers.py:120: 64.000 MiB of them are beside 2 blocks of 192.000 MiB. Free these blocks earlier, or allocate them before the others, or try expandable_segments:True.
            kept segments: torch.cuda.empty_cache() releases them; expandable_segments:True reuses their memory.

            BY LINE                                   bytes                 share  blocks
              load_weights at /app/model.py:41  469,762,048  448.000 MiB   69.8 %       1
              attention at /app/layers.py:120   201,326,592  192.000 MiB   29.9 %       2
              append at /app/cache.py:33          1,572,864    1.500 MiB    0.2 %       2

            BY STACK                                  bytes                 share  blocks
              load_weights at /app/model.py:41  469,762,048  448.000 MiB   69.8 %       1
                main at /app/main.py:12
              attention at /app/layers.py:120   201,326,592  192.000 MiB   29.9 %       2
                forward at /app/model.py:77
              append at /app/cache.py:33          1,572,864    1.500 MiB    0.2 %       2
                generate at /app/main.py:22

            BY STREAM                                 bytes                 share  blocks
              0                                 672,661,504  641.500 MiB  100.0 %       5

            Blocks in use keep 3 regions with free bytes from being released.

            PINNED REGIONS                              bytes        free  blocks
              region 0                            536,870,912  67,108,864       1
                load_weights at /app/model.py:41  469,762,048
              region 1                            268,435,456  67,108,864       2
                attention at /app/layers.py:120   100,663,296
                attention at /app/layers.py:120   100,663,296
              region 3                              2,097,152     524,288       2
                append at /app/cache.py:33          1,048,576
                append at /app/cache.py:33            524,288

            To record a history, also if an exception ends the step:
              torch.cuda.memory._record_memory_history()
              try:
                  step()  # the part of the program to record
              finally:
                  torch.cuda.memory._dump_snapshot("snapshot.pickle")
            """);
    assertThat(run.out()).doesNotContain("allocation", "failed", "onfidence", "event", "older");
    assertThat(CommandRun.of("replay", EXAMPLE, "--explain").out()).isEqualTo(run.out());
  }

  @Test
  void replay_stateInBothForms_hasTheSameFigures() throws IOException {
    Path old =
        service(new SnapshotPickle().ofPyTorch20()).write(folder.resolve("state-2.0.pickle"));
    for (Path trace : List.of(EXAMPLE, old)) {
      JsonNode json =
          new JsonMapper().readTree(CommandRun.of("replay", trace, "--format", "json").out());
      assertThat(json.get("allocations").longValue()).isZero();
      assertThat(json.get("reserved_bytes").longValue()).isEqualTo(898 * MIB);
      assertThat(json.get("peak_in_use_bytes").longValue()).isEqualTo(672_661_504);
      List<String> lines = new ArrayList<>();
      json.get("explanation")
          .get("by_line")
          .forEach(line -> lines.add(line.get("key").stringValue() + " " + line.get("bytes")));
      assertThat(lines)
          .containsExactly(
              "load_weights at /app/model.py:41 469762048",
              "attention at /app/layers.py:120 201326592",
              "append at /app/cache.py:33 1572864");
    }
  }

  @Test
  void replay_stateWithEmptyCache_hasTheMemoryThatIsLeft() {
    assertThat(CommandRun.of("replay", EXAMPLE, "--empty-cache").out())
        .startsWith(
            EXAMPLE
                + ": PyTorch holds 770.000 MiB (807,403,520 bytes): 641.500 MiB in use, 128.500 MiB"
                + " cached;");
  }

  @Test
  void replay_stateWithoutStacks_hasTheSums() throws IOException {
    Path trace = new SnapshotPickle().older(512).write(folder.resolve("s.pickle"));
    assertThat(CommandRun.of("replay", trace).out())
        .startsWith(trace + ": PyTorch holds 512 bytes: 512 B in use, 0 B cached.\n")
        .doesNotContain("BY LINE");
  }

  @Test
  void replay_stateOfAnotherDevice_isNamed() throws IOException {
    Path trace =
        new SnapshotPickle().older(MIB).segment(3, false).write(folder.resolve("s.pickle"));
    CommandRun run = CommandRun.of("replay", trace);
    assertThat(run.out()).startsWith(trace + ": PyTorch holds 0 bytes: ");
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: "
                + trace
                + ": the memory of device 0; --device N has the memory of another one: 3 (0 events)\n");
    assertThat(CommandRun.of("replay", trace, "--device", 3).out())
        .startsWith(trace + ": PyTorch holds 1.000 MiB (1,048,576 bytes)");
  }

  @Test
  void replay_stateBesideOthers_isNoted() {
    CommandRun run = CommandRun.of("replay", EXAMPLE, "examples/attention.pickle");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: examples/state.pickle: has no history: replay it alone to see who holds"
                + " its memory\n");
  }

  @Test
  void replay_stateWithAPage_startsWithTheSameSentence() throws IOException {
    Path page = folder.resolve("p.html");
    String out = CommandRun.of("replay", EXAMPLE, "--output", page).out();
    String sentence = out.substring(out.indexOf(": ") + 2, out.indexOf('\n'));
    assertThat(Files.readString(page).replace('\u00a0', ' ')).contains(sentence);
  }

  @Test
  void replay_stateThatIsWrittenAsASnapshot_isTheSame() throws IOException {
    Path copy = folder.resolve("copy.pickle");
    String out = CommandRun.of("replay", EXAMPLE, "--output", copy).out();
    assertThat(CommandRun.of("replay", copy).out())
        .isEqualTo(out.replace(EXAMPLE.toString(), copy.toString()));
  }

  @Test
  void replay_stateWithAnotherAllocator_isReplayed() {
    assertThat(CommandRun.of("replay", EXAMPLE, "--allocator", "bfc").out())
        .contains("0 allocations and 0 frees, 0 failed");
  }

  @Test
  void tune_state_isRefusedWithTheWayToRecord() {
    CommandRun run = CommandRun.of("tune", EXAMPLE);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            "stowage: examples/state.pickle: is a snapshot without a history, so that there is nothing"
                + " to replay; to record one, call torch.cuda.memory._record_memory_history() before"
                + " the step\n");
  }
}
