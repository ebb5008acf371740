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

class DiffCommandTest {

  @TempDir private Path folder;

  private Path before() throws IOException {
    return new SnapshotPickle()
        .older(3072)
        .alloc(512, 4096, 0, "forward at model.py:12", "main at train.py:3")
        .alloc(8192, 1024, 0, "loss at train.py:9")
        .alloc(16384, 256, 0, "same at train.py:20")
        .alloc(32768, 700, 0, "less at train.py:21")
        .write(folder.resolve("a.pickle"));
  }

  private Path after() throws IOException {
    return new SnapshotPickle()
        .older(3072)
        .older(1024)
        .alloc(512, 4096, 0, "forward at model.py:12", "main at train.py:3")
        .alloc(8192, 4096, 0, "forward at model.py:12", "main at train.py:4")
        .alloc(16384, 256, 0, "same at train.py:20")
        .alloc(32768, 600, 0, "less at train.py:21")
        .alloc(65536, 2048, 0, "cache at cache.py:1")
        .write(folder.resolve("b.pickle"));
  }

  private Path csv(String name, String lines) throws IOException {
    return Files.writeString(folder.resolve(name), "op,id,bytes,stream,t\n" + lines);
  }

  private static JsonNode json(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new JsonMapper().readTree(run.out());
  }

  private static List<String> groups(JsonNode diff) {
    List<String> groups = new ArrayList<>();
    diff.get("groups").forEach(group -> groups.add(group.toString().replace("\"", "")));
    return groups;
  }

  @Test
  void diff_byLine_hasAllGroupsWithTheLargestDifferenceFirst() throws IOException {
    JsonNode diff =
        json(CommandRun.of("diff", before(), after(), "--by", "line", "--format", "json"));
    assertThat(diff.get("by").stringValue()).isEqualTo("line");
    assertThat(diff.get("growth_bytes").longValue()).isEqualTo(6044);
    assertThat(groups(diff))
        .containsExactly(
            "{key:forward at model.py:12,bytes_a:4096,bytes_b:8192,blocks_a:1,blocks_b:2}",
            "{key:cache at cache.py:1,bytes_a:0,bytes_b:2048,blocks_a:0,blocks_b:1}",
            "{key:(older than the recording),bytes_a:3072,bytes_b:4096,blocks_a:1,blocks_b:2}",
            "{key:loss at train.py:9,bytes_a:1024,bytes_b:0,blocks_a:1,blocks_b:0}",
            "{key:less at train.py:21,bytes_a:700,bytes_b:600,blocks_a:1,blocks_b:1}",
            "{key:same at train.py:20,bytes_a:256,bytes_b:256,blocks_a:1,blocks_b:1}");
  }

  @Test
  void diff_withoutBy_isByStackTagOrSize() throws IOException {
    Path before = before();
    assertThat(json(CommandRun.of("diff", before, after(), "--format", "json")).get("by"))
        .hasToString("\"stack\"");
    Path csv = csv("t.csv", "a,x,700,0,0\na,y,700,0,1\n");
    JsonNode mixed = json(CommandRun.of("diff", before, csv, "--format", "json"));
    assertThat(mixed.get("by").stringValue()).isEqualTo("size");
    assertThat(groups(mixed))
        .contains("{key:700,bytes_a:700,bytes_b:1400,blocks_a:1,blocks_b:2}")
        .contains("{key:3072,bytes_a:3072,bytes_b:0,blocks_a:1,blocks_b:0}");
  }

  @Test
  void diff_table_isForPeople() throws IOException {
    CommandRun run = CommandRun.of("diff", before(), after(), "--by", "line");
    assertThat(run.out().replace(folder + "/", ""))
        .isEqualTo(
            """
            b.pickle reserves 1.000 KiB (1,024 bytes) more than a.pickle at its peak (+0.0 %). b.pickle requests 5.902 KiB (6,044 bytes) more than a.pickle at its peak (+66.1 %), most of it from forward at model.py:12.
            Exact: the sums of the requested bytes of all blocks in use.
            A: a.pickle: peak of requested bytes, event 4: 9,148 bytes (8.934 KiB)
            B: b.pickle: peak of requested bytes, event 5: 15,192 bytes (14.836 KiB)

            CHANGE    growth      A      B  blocks  line
              grown   +4,096  4,096  8,192  1 -> 2  forward at model.py:12
              new     +2,048      0  2,048  0 -> 1  cache at cache.py:1
              grown   +1,024  3,072  4,096  1 -> 2  (older than the recording)
              gone    -1,024  1,024      0  1 -> 0  loss at train.py:9
              shrunk    -100    700    600       1  less at train.py:21
                           0    256    256          1 other
            """);
  }

  @Test
  void diff_atAnEvent_comparesBothThen() throws IOException {
    JsonNode diff = json(CommandRun.of("diff", before(), after(), "--at", "0", "--format", "json"));
    assertThat(groups(diff))
        .containsExactly(
            "{key:(older than the recording),bytes_a:3072,bytes_b:4096,blocks_a:1,blocks_b:2}");
    assertThat(diff.get("at_peaks").booleanValue()).isFalse();
    Path short1 = csv("t.csv", "a,x,700,0,0\n");
    CommandRun absent = CommandRun.of("diff", before(), short1, "--at", "2");
    assertThat(absent.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(absent.err()).contains("t.csv: --at is 2, expected at most 1, the number of events");
  }

  @Test
  void diff_growthAboveTheBound_exitsWith4() throws IOException {
    Path a = before();
    Path b = after();
    assertThat(CommandRun.of("diff", a, b, "--fail-above", "6044").exitCode())
        .isEqualTo(ExitCode.DONE);
    CommandRun run = CommandRun.of("diff", a, b, "--fail-above", "6043");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: has 6,044 bytes (5.902 KiB) more in use than %s, expected at most 6,043 bytes (5.901 KiB)\n"
                .formatted(b, a));
    assertThat(CommandRun.of("diff", b, a, "--fail-above", "0").exitCode())
        .isEqualTo(ExitCode.DONE);
  }

  @Test
  void diff_ofAFileWithItself_hasNoGrowth() throws IOException {
    Path a = before();
    CommandRun run = CommandRun.of("diff", a, a, "--fail-above", "0");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .startsWith("No difference: both have the same groups of blocks in use.\n")
        .doesNotContain("CHANGE");
  }

  @Test
  void diff_filesThatCannotBeRead_areAllReported() throws IOException {
    CommandRun run = CommandRun.of("diff", folder.resolve("x"), folder.resolve("y"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err().lines()).hasSize(2);
    assertThat(run.out()).isEmpty();
    assertThat(CommandRun.of("diff", before()).exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(CommandRun.of("diff", before(), after(), "--by", "owner").exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void diff_sumThatOverflows_isRefused() throws IOException {
    Path huge = csv("h.csv", "a,x,9223372036854775807,0,0\na,y,9223372036854775807,0,1\n");
    CommandRun run = CommandRun.of("diff", huge, before());
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: has 2^63 bytes or more in use after event 2, expected fewer\n"
                .formatted(huge));
  }

  @Test
  void diff_hugeGrowth_doesNotOverflow() throws IOException {
    Path huge = csv("h.csv", "a,x,9223372036854775807,0,0\n");
    JsonNode diff = json(CommandRun.of("diff", huge, before(), "--by", "size", "--format", "json"));
    assertThat(groups(diff).getFirst()).startsWith("{key:9223372036854775807,");
    assertThat(CommandRun.of("diff", huge, huge).exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void diff_hostileNames_printsTheirLinesWithoutControlCharacters() throws IOException {
    Path a =
        new SnapshotPickle()
            .alloc(512, 256, 0, "f\u001b[31m\n\u202Egpj at a.py:1")
            .write(folder.resolve("c.pickle"));
    String out = CommandRun.of("diff", before(), a, "--by", "line").out();
    assertThat(out).contains("f?[31m??gpj at a.py:1");
    assertThat(out.replace("\n", "")).doesNotContainPattern("[\\p{Cc}\u202E]");
  }
}
