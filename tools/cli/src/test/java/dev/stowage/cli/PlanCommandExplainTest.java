package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The sentences and figures of {@code --explain}, compared with the problem. */
class PlanCommandExplainTest {

  private static final Pattern SENTENCE =
      Pattern.compile("(?m)^Why not ([0-9,]+) bytes?: (.*)\\.$");
  private static final Pattern LIVE =
      Pattern.compile(
          "at task (\\d+), (\\d+) live tensors? needs? (at least )?(\\d+) bytes?(, those .*)?");
  private static final Pattern PINNED =
      Pattern.compile("1 tensor of (\\d+) bytes? ends at byte (\\d+)");

  @TempDir Path folder;

  static LongStream seeds() {
    String asked = System.getProperty("tests.seed", "");
    return asked.isEmpty() ? LongStream.range(0, 60) : LongStream.of(Long.parseLong(asked));
  }

  /** A row of the problem; the gap has one window. */
  private record Row(
      int first,
      int last,
      int bytes,
      int alignment,
      int offset,
      int gapFirst,
      int gapLast,
      int lo,
      int hi) {

    static Row random(Random random) {
      int first = random.nextInt(4);
      int last = first + random.nextInt(4);
      int bytes = random.nextInt(8);
      int alignment = random.nextInt(3) == 0 ? 4 : 1;
      int offset = random.nextInt(3) == 0 ? 4 * random.nextInt(4) : -1;
      int gapFirst = first + random.nextInt(last - first + 1);
      int gapLast = gapFirst + random.nextInt(last - gapFirst + 1);
      int lo = random.nextInt(bytes + 1);
      int hi = lo + random.nextInt(bytes - lo + 1);
      boolean hasGap = random.nextInt(3) == 0;
      return new Row(
          first, last, bytes, alignment, offset, hasGap ? gapFirst : -1, gapLast, lo, hi);
    }

    String csv(int id) {
      String gaps = gapFirst < 0 ? "" : "%s-%s@%s:%s".formatted(gapFirst, gapLast + 1, lo, hi);
      return "%s,%s,%s,%s,%s,%s,%s\n"
          .formatted(id, first, last + 1, bytes, alignment, offset, gaps);
    }

    /** {@return the bytes needed at a task, relative to the start of the record} */
    int[] need(long task) {
      if (task < first || task > last) {
        return new int[] {0, 0};
      }
      return gapFirst >= 0 && gapFirst <= task && task <= gapLast
          ? new int[] {lo, hi}
          : new int[] {0, bytes};
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_explainOfAnyProblem_statesFacts(long seed) throws IOException {
    Random random = new Random(seed);
    List<Row> rows = new ArrayList<>();
    StringBuilder csv = new StringBuilder("id,lower,upper,size,alignment,offset,gaps\n");
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      rows.add(Row.random(random));
      csv.append(rows.getLast().csv(rows.size() - 1));
    }
    Path file = Files.writeString(folder.resolve("p.csv"), csv);
    List<Object> line =
        new ArrayList<>(
            List.of("plan", file, "--kind", "offsets", "--strategy", "OPTIMAL", "--explain"));
    if (random.nextBoolean()) {
      line.addAll(List.of("--capacity", random.nextInt(12)));
    }
    String out = CommandRun.of(line.toArray()).out();
    line.addAll(List.of("--format", "json"));
    JsonNode report = JsonMapper.shared().readTree(CommandRun.of(line.toArray()).out());
    JsonNode explanation = report.path("explanation");
    Matcher sentence = SENTENCE.matcher(out);
    if (explanation.isMissingNode()) {
      assertThat(out).doesNotContain("Why not");
      return;
    }
    assertThat(sentence.find()).as(out).isTrue();
    long least = explanation.get("least_bytes").asLong();
    assertThat(sentence.group(1)).isEqualTo(explanation.get("capacity").asString());
    assertThat(least).isGreaterThan(explanation.get("capacity").asLong());
    assertThat(report.get("plans").get(0).get("total_bytes").asLong())
        .as(out)
        .isGreaterThanOrEqualTo(least);
    List<Row> named = new ArrayList<>();
    explanation.get("records").forEach(record -> named.add(rows.get(record.get("id").asInt())));
    Matcher live = LIVE.matcher(sentence.group(2));
    Matcher pinned = PINNED.matcher(sentence.group(2));
    if (live.matches()) {
      long task = Long.parseLong(live.group(1));
      assertThat(explanation.get("task").asLong()).isEqualTo(task);
      assertThat(Integer.parseInt(live.group(2))).isEqualTo(named.size());
      assertThat(explanation.get("exact").asBoolean()).isEqualTo(live.group(3) == null);
      assertThat(Long.parseLong(live.group(4))).isEqualTo(least).isEqualTo(needed(named, task));
      assertThat(named).as(out).allMatch(row -> row.need(task)[0] < row.need(task)[1]);
    } else if (pinned.matches()) {
      Row row = named.getFirst();
      assertThat(named).hasSize(1);
      assertThat(Long.parseLong(pinned.group(1))).isEqualTo(row.bytes);
      assertThat(Long.parseLong(pinned.group(2))).isEqualTo(least);
      assertThat(least).isEqualTo(Math.max(0, row.offset) + row.bytes);
    } else {
      assertThat(sentence.group(2))
          .containsAnyOf("padding included", "pinned tensor", "exhaustive search");
      // Live bytes are the first reason that the explanation checks.
      for (long task = 0; task < 8; task++) {
        assertThat(needed(named, task))
            .as(out)
            .isLessThanOrEqualTo(explanation.get("capacity").asLong());
      }
    }
  }

  /**
   * {@return the bytes needed at a task: movable records side by side, pinned ones at their pins}
   */
  private static long needed(List<Row> rows, long task) {
    BitSet taken = new BitSet();
    int above = 1000;
    for (Row row : rows) {
      int start = row.offset < 0 ? above : row.offset;
      taken.set(start + row.need(task)[0], start + row.need(task)[1]);
      above += 10;
    }
    return taken.cardinality();
  }

  @Test
  void plan_explainOfSeveralFiles_explainsEachBehindTheTable() throws IOException {
    Path one = Files.writeString(folder.resolve("one.csv"), "id,lower,upper,size\nx,0,2,8\n");
    Path two =
        Files.writeString(folder.resolve("two.csv"), "id,lower,upper,size,offset\ny,0,1,1,6\n");

    CommandRun run = CommandRun.of("plan", one, two, "--kind", "offsets", "--explain");

    assertThat(run.out())
        .endsWith(
            """

            %s: why not 7 bytes: at task 0, 1 live tensor needs 8 bytes.

            TENSOR  bytes  first task  last task
              x         8           0          1

            Peak: 8 bytes live at task 0 to 1.

            %s: why not 6 bytes: 1 tensor of 1 byte ends at byte 7.

            TENSOR  bytes  pinned to  first task  last task
              y         1          6           0          0

            Peak: 1 byte live at task 0.
            """
                .formatted(one, two));
  }

  @Test
  void plan_explainOfGapsBesideAGraph_countsAllBytesOfTheRecord() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("p.json"),
            """
            {"records": [{"size": 3, "first_task": 0, "last_task": 0,
                          "gaps": [{"first_task": 0, "last_task": 0, "window": [0, 2]}]}],
             "usage_graph": [[]], "capacity": 1}
            """);

    assertThat(CommandRun.of("plan", file, "--explain").out())
        .endsWith(
            """

            Why not 1 byte: at task 0, 1 live tensor needs 3 bytes.

            TENSOR  bytes  first task  last task
              0         3           0          0

            Peak: 3 bytes live at task 0.
            """);
    assertThat(CommandRun.of("plan", file, "--explain", "--format", "json").out())
        .contains("\"reason\":\"live_bytes\",\"least_bytes\":3,\"exact\":true,\"task\":0,");
  }

  /** Shared objects need no padding and do not explain offsets. */
  @Test
  void plan_explainWithoutCapacity_isOfOffsetsForAnyObjectsPlan() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("p.csv"), "id,lower,upper,size,alignment\nx,0,1,5,8\ny,0,1,5,8\n");

    assertThat(CommandRun.of("plan", file, "--explain").out())
        .contains(
            "\nWhy not 12 bytes: at task 0, 2 live tensors need 13 bytes with padding, because their offsets are multiples of 8.\n");
  }
}
