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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code replay --explain}. */
class ReplayExplainTest {

  private static final String TORCH = "mm at /env/site-packages/torch/functional.py:7";

  @TempDir private Path folder;

  private Path snapshot() throws IOException {
    return new SnapshotPickle()
        .older(3072)
        .alloc(512, 4096, 0, TORCH, "forward at model.py:12", "main at train.py:3")
        .alloc(8192, 1024, 7, TORCH, "forward at model.py:12", "main at train.py:4")
        .alloc(16384, 2048, 0, "loss at train.py:9")
        .free(8192, 1024)
        .write(folder.resolve("s.pickle"));
  }

  private static JsonNode explanation(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new JsonMapper().readTree(run.out()).get("explanation");
  }

  private static List<String> groups(JsonNode explanation, String key) {
    List<String> groups = new ArrayList<>();
    explanation
        .get(key)
        .forEach(group ->
            groups.add(
                group.get("key").stringValue()
                    + " "
                    + group.get("bytes").longValue()
                    + " "
                    + group.get("blocks").longValue()));
    return groups;
  }

  @ParameterizedTest
  @ValueSource(strings = {"bfc", "pytorch", "rmm"})
  void explain_anyAllocator_hasTheHoldersOfThePeak(String allocator) throws IOException {
    JsonNode explanation =
        explanation(
            CommandRun.of(
                "replay", snapshot(), "--explain", "--allocator", allocator, "--format", "json"));
    assertThat(explanation.get("event").longValue()).isEqualTo(3);
    assertThat(explanation.get("is_peak").booleanValue()).isTrue();
    assertThat(explanation.get("requested_bytes").longValue()).isEqualTo(10_240);
    assertThat(explanation.get("older").toString())
        .isEqualTo("{\"bytes\":3072,\"blocks\":1,\"share\":0.3}");
    assertThat(groups(explanation, "by_line"))
        .containsExactly("forward at model.py:12 5120 2", "loss at train.py:9 2048 1");
    assertThat(groups(explanation, "by_stack"))
        .containsExactly(
            TORCH + " <- forward at model.py:12 <- main at train.py:3 4096 1",
            "loss at train.py:9 2048 1",
            TORCH + " <- forward at model.py:12 <- main at train.py:4 1024 1");
    assertThat(groups(explanation, "by_tag")).containsExactly("(no tag) 7168 3");
    assertThat(groups(explanation, "by_stream")).containsExactly("0 9216 3", "7 1024 1");
    assertThat(explanation.get("by_line").get(0).get("share").doubleValue()).isEqualTo(0.5);
    assertThat(explanation.has("worst_failure")).isFalse();
  }

  @Test
  void explain_atAnEvent_hasTheHoldersThen() throws IOException {
    JsonNode before =
        explanation(CommandRun.of("replay", snapshot(), "--at", "0", "--format", "json"));
    assertThat(before.get("requested_bytes").longValue()).isEqualTo(3072);
    assertThat(before.get("by_line")).isEmpty();
    JsonNode end =
        explanation(CommandRun.of("replay", snapshot(), "--at", "4", "--format", "json"));
    assertThat(end.get("is_peak").booleanValue()).isFalse();
    assertThat(groups(end, "by_stream")).containsExactly("0 9216 3");
  }

  @Test
  void explain_eventThatIsAbsent_isRefused() throws IOException {
    Path trace = snapshot();
    CommandRun run = CommandRun.of("replay", trace, "--at", "5");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo("stowage: " + trace + ": --at is 5, expected at most 4, the number of events\n");
    CommandRun negative = CommandRun.of("replay", trace, "--at", "-1");
    assertThat(negative.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(negative.err())
        .contains("'--at': '-1' is not a whole number, expected one such as 42");
  }

  @Test
  void explain_withAPage_explainsAndDraws() throws IOException {
    Path page = folder.resolve("p.html");
    JsonNode explanation =
        explanation(
            CommandRun.of("replay", snapshot(), "--explain", "--output", page, "--format", "json"));
    assertThat(explanation.get("event").longValue()).isEqualTo(3);
    assertThat(Files.exists(page)).isTrue();
  }

  @Test
  void explain_table_isForPeople() throws IOException {
    Path trace =
        new SnapshotPickle()
            .alloc(512, 256, 0, "f at a.py:1")
            .alloc(1024, 256, 0, "f at a.py:2")
            .alloc(2048, 256, 0, TORCH, "f at a.py:3", "main at a.py:9")
            .alloc(4096, 256, 0, "f at a.py:4")
            .free(1024, 256)
            .free(4096, 256)
            .alloc(8192, 512, 3, TORCH, "f at a.py:5")
            .write(folder.resolve("s.pickle"));
    CommandRun run =
        CommandRun.of(
            "replay", trace, "--explain", "--no-growth", "--limit", "1KiB", "--max-dead", "256");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out().substring(run.out().indexOf("\nMemory at")))
        .isEqualTo(
            """

            Memory at the peak of requested bytes, event 4: 1,024 bytes (1.000 KiB) requested in 4 blocks.

            BY LINE        bytes          share  blocks
              f at a.py:1    256  256 B  25.0 %       1
              f at a.py:2    256  256 B  25.0 %       1
              f at a.py:3    256  256 B  25.0 %       1
              f at a.py:4    256  256 B  25.0 %       1

            BY STACK       bytes          share  blocks
              f at a.py:1    256  256 B  25.0 %       1
              f at a.py:2    256  256 B  25.0 %       1
              f at a.py:4    256  256 B  25.0 %       1
              1 other        256  256 B  25.0 %       1

            BY STREAM  bytes               share  blocks
              0        1,024  1.000 KiB  100.0 %       4

            WORST FAILURE, event 7: 512 bytes on stream 3, with 512 bytes free in 2 holes

            LARGEST HOLES           bytes  region  offset
              hole                    256       0     256
                below: f at a.py:1    256
                above: f at a.py:3    256
              hole                    256       0     768
                below: f at a.py:3    256
            """);
  }

  private static long sum(JsonNode rows, String field) {
    long sum = 0;
    for (JsonNode row : rows) {
      sum += row.get(field).longValue();
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(strings = {"bfc", "pytorch", "rmm"})
  void explain_reservedBytes_areDividedWithoutARemainder(String allocator) throws IOException {
    JsonNode explanation =
        explanation(
            CommandRun.of(
                "replay", snapshot(), "--at", "4", "--allocator", allocator, "--format", "json"));
    JsonNode parts = explanation.get("reserved_parts");
    assertThat(parts.findValuesAsString("part"))
        .containsExactly(
            "rounding",
            "unsplit_rests",
            "holes",
            "other_streams",
            "private_pools",
            "pending_frees",
            "kept_segments");
    assertThat(explanation.get("held_bytes").longValue() + sum(parts, "bytes"))
        .isEqualTo(explanation.get("reserved_bytes").longValue());
    JsonNode pools = explanation.get("pools");
    if (allocator.equals("pytorch")) {
      assertThat(sum(pools, "reserved_bytes"))
          .isEqualTo(explanation.get("reserved_bytes").longValue());
      assertThat(sum(pools, "in_use_bytes")).isEqualTo(explanation.get("in_use_bytes").longValue());
      assertThat(sum(pools, "requested_bytes"))
          .isEqualTo(explanation.get("requested_bytes").longValue());
    } else {
      assertThat(pools).isEmpty();
    }
  }

  private static final long MIB = 1 << 20;

  /** All parts but that of private pools; the last free waits. */
  private Path reserved() throws IOException {
    return new SnapshotPickle()
        .alloc(MIB, 3 * MIB, 0, TORCH, "forward at model.py:12")
        .alloc(21 * MIB, 16 * MIB + MIB / 2 - 100, 0, "loss at train.py:9")
        .alloc(41 * MIB, 30 * MIB, 7, "copy at data.py:5")
        .alloc(81 * MIB, 12 * MIB, 0, "step at train.py:20")
        .alloc(161 * MIB, 40 * MIB, 0, "step at train.py:21")
        .free(41 * MIB, 30 * MIB)
        .free(161 * MIB, 40 * MIB)
        .requestFree(81 * MIB, 12 * MIB)
        .alloc(121 * MIB, MIB / 2, 0, "log at train.py:30")
        .free(81 * MIB, 12 * MIB)
        .write(folder.resolve("r.pickle"));
  }

  @Test
  void explain_reservedBytes_areExplainedByPart() throws IOException {
    String out = CommandRun.of("replay", reserved(), "--allocator", "pytorch", "--at", "8").out();
    assertThat(out.substring(out.indexOf("\nRESERVED"), out.indexOf("\nBY LINE")))
        .isEqualTo(
            """

            RESERVED               bytes               of reserved
              requested       20,971,420   20.000 MiB       19.2 %
              rounding               100        100 B        0.0 %
              unsplit rests      524,288  512.000 KiB        0.5 %
              holes            1,572,864    1.500 MiB        1.4 %
              other streams   31,457,280   30.000 MiB       28.8 %
              pending frees   12,582,912   12.000 MiB       11.5 %
              kept segments   41,943,040   40.000 MiB       38.5 %
              reserved       109,051,904  104.000 MiB      100.0 %

            rounding: Requests are rounded up to multiples of 512 bytes, or by roundup_power2_divisions.
            unsplit rests: Rests stay with large blocks: expandable_segments:True splits them off.
            holes: Free the blocks in pinned regions earlier, or allocate them before the others, or try expandable_segments:True.
            other streams: Each stream has free blocks of its own: allocate on fewer streams, or call torch.cuda.empty_cache() when a stream has finished.
            pending frees: Other streams used these blocks when the program freed them (Tensor.record_stream): free them after this work has ended.
            kept segments: torch.cuda.empty_cache() releases them; expandable_segments:True reuses their memory.
            """);
  }

  @Test
  void explain_partsOfOneMoment_haveTheRightRemedies() throws IOException {
    JsonNode parts =
        explanation(
                CommandRun.of(
                    "replay",
                    reserved(),
                    "--allocator",
                    "pytorch",
                    "--settings",
                    "expandable_segments:True",
                    "--at",
                    "0",
                    "--format",
                    "json"))
            .get("reserved_parts");
    assertThat(parts.get(0).toString()).isEqualTo("{\"part\":\"rounding\",\"bytes\":0}");
    assertThat(parts.get(2).toString()).isEqualTo("{\"part\":\"holes\",\"bytes\":0}");
  }

  @Test
  void explain_longFrames_fitTheTerminalUnlessWide() throws IOException {
    String outer = "main at /home/" + "a".repeat(100) + "/train.py:9";
    String inner = "forward at /home/" + "b".repeat(100) + "/model.py:12";
    Path trace =
        new SnapshotPickle()
            .alloc(1 << 20, 1 << 30, 0, inner, outer)
            .alloc(2 << 30, 2048, 3, inner, outer)
            .alloc(3 << 30, 1 << 30, 0, TORCH, inner, outer)
            .write(folder.resolve("s.pickle"));
    Object[] options = {"replay", trace, "--explain", "--limit", "1100MiB", "--allow-failures"};
    String out = CommandRun.of(options).out();
    assertThat(out.substring(out.indexOf("\nBY LINE")).lines())
        .filteredOn(line -> line.startsWith("  "))
        .allMatch(line -> line.length() <= 80)
        .anyMatch(line -> line.matches("    main at /home/a+…a+/train.py:9"))
        .anyMatch(line -> line.matches("  forward at /ho.*…b+/model.py:12  .*"));
    assertThat(CommandRun.wide(options).out())
        .contains("\n    " + outer + "\n")
        .contains("  " + inner);
  }

  @Test
  void explain_traceWithoutStacks_hasNoLines() throws IOException {
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,bytes,stream,t\na,x,5,0,0\n");
    assertThat(CommandRun.of("replay", trace, "--explain").out())
        .contains("BY STREAM")
        .doesNotContain("BY LINE", "BY TAG");
    Path empty = Files.writeString(folder.resolve("e.csv"), "op,id,bytes,stream,t\n");
    CommandRun run = CommandRun.of("replay", empty, "--explain");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .contains("Memory at the peak of requested bytes, before the first event: 0 bytes");
  }

  /** Blocks that the recording frees have the frames of the caller that frees, so none. */
  @Test
  void explain_olderMemoryWithAStack_hasItsLine() throws IOException {
    Path trace =
        new SnapshotPickle()
            .older(3072, TORCH, "load at model.py:41")
            .older(512)
            .alloc(8192, 1024, 0, "load at model.py:41")
            .free(16384, 2048)
            .write(folder.resolve("s.pickle"));
    JsonNode explanation =
        explanation(CommandRun.of("replay", trace, "--explain", "--format", "json"));
    assertThat(groups(explanation, "by_line")).containsExactly("load at model.py:41 4096 2");
    assertThat(groups(explanation, "by_stack"))
        .containsExactly(TORCH + " <- load at model.py:41 3072 1", "load at model.py:41 1024 1");
    assertThat(explanation.get("older").get("bytes").longValue()).isEqualTo(2560);
    assertThat(CommandRun.of("replay", trace, "--explain").out())
        .containsPattern("BY LINE .*\n  \\(older than the recording\\) +2,560 .*\n  load at ");
  }

  @Test
  void explain_hostileNames_printsTheirLinesWithoutControlCharacters() throws IOException {
    String name = "f\u001b[31m\n\u202Egpj\u0000 at a\tb.py:1";
    Path trace =
        new SnapshotPickle()
            .alloc(512, 256, -1, name, "x".repeat(1000) + " at " + "y".repeat(1000) + ".py:2")
            .write(folder.resolve("s.pickle"));
    String out = CommandRun.of("replay", trace, "--explain").out();
    assertThat(out).contains("f?[31m??gpj? at a?b.py:1").contains("18446744073709551615");
    assertThat(out.replace("\n", "")).doesNotContainPattern("[\\p{Cc}\u202E]");
    JsonNode explanation =
        explanation(CommandRun.of("replay", trace, "--explain", "--format", "json"));
    assertThat(explanation.get("by_line").get(0).get("key").stringValue()).isEqualTo(name);
  }
}
