package dev.stowage.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.cli.ReadInput;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ProblemWriter;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanFilesTest {

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(200);
  }

  private static PlanReport planned(PlanInput input, long alignment) {
    PlanSelection all =
        new PlanSelection(
            Set.of(),
            true,
            Set.of(AssignmentKind.OFFSETS),
            alignment,
            SearchOptions.defaults().withTimeLimit(Duration.ZERO),
            false);
    try {
      return new PlanRunner(all).run(input, strategy -> {});
    } catch (InputRefusedException e) {
      throw new AssertionError(e);
    }
  }

  private static PlanInput.Tensors input(List<RecordLabel> labels, PlanProblem problem) {
    InputFile file = new InputFile("p.json", "json", 9, OptionalLong.empty(), List.of());
    return new PlanInput.Tensors(file, labels, problem);
  }

  private static PlanInput.Tensors inputOfId(String id) {
    return input(
        List.of(new RecordLabel(id, id)),
        PlanProblem.of(List.of(TensorUsageRecord.of(16, 0, 4).withHint(3))));
  }

  private Path write(PlanReport report, String name) throws IOException {
    Path path = folder.resolve(name);
    WholeFile.Content content =
        PlanFiles.of(report, false, _ -> {}).get(name.substring(name.lastIndexOf('.')));
    new WholeFile(path.toString()).write(content);
    return path;
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void write_randomProblem_isReadAgainPinnedWhereItWasPlanned(long seed) throws IOException {
    RandomProblem random = new RandomProblem(seed);
    PlanInput.Tensors input = input(random.labels(), PlanProblem.of(random.records()));
    long asked = random.alignment();
    PlanReport report = planned(input, asked);
    long[] offsets = report.bestOffsets().orElseThrow().assignment().offsets();
    List<TensorUsageRecord> pinned = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      TensorUsageRecord record = input.problem().records().get(i);
      long alignment = input.problem().withAlignment(asked).alignmentOf(record);
      pinned.add(record.withAlignment(alignment).pinnedAt(offsets[i]));
    }

    for (String name : List.of("plan.csv", "plan.json")) {
      PlanInput.Tensors read = (PlanInput.Tensors) ReadInput.of(write(report, name));

      assertThat(read.problem().records())
          .as(name)
          .map(record -> record.withName("")) // the names of labels, below
          .isEqualTo(pinned);
      assertThat(read.labels())
          .as(name)
          .map(RecordLabel::id)
          .isEqualTo(input.labels().stream().map(RecordLabel::id).toList());
      assertThat(MemoryStrategy.TFLM_GREEDY.planOffsets(read.problem()))
          .as(name)
          .isEqualTo(report.bestOffsets().orElseThrow().assignment());
      if (name.endsWith(".json")) {
        assertThat(read.labels()).isEqualTo(input.labels());
        assertThat(read.file().capacity())
            .hasValue(report.bestOffsets().orElseThrow().assignment().totalBytes());
      }
    }
  }

  @Test
  void write_everyField_hasThisText() throws IOException {
    List<TensorUsageRecord> records =
        List.of(
            TensorUsageRecord.of(20, 0, Long.MAX_VALUE - 1)
                .withAlignment(8)
                .pinnedAt(24)
                .withHint(5)
                .withGaps(List.of(Gap.of(2, 3), new Gap(5, 5, 4, 8))),
            TensorUsageRecord.of(6, 1, 1));
    PlanReport report =
        planned(
            input(
                List.of(new RecordLabel("a, \"b\"", "conv"), new RecordLabel(" c", "d")),
                PlanProblem.of(records)
                    .withReuseGraph(ReuseGraph.ofUsage(List.of(List.of(1), List.of())))),
            2);

    assertThat(write(report, "plan.csv"))
        .hasContent(
            """
            id,lower,upper,size,alignment,hint,gaps,name,offset
            "a, ""b""\",0,9223372036854775807,20,8,5,2-4 5-6@4:8,conv,24
            " c",1,2,6,2,,,d,0
            """);
    assertThat(write(report, "plan.json"))
        .hasContent(
            """
            {"capacity":44,"records":[\
            {"id":"a, \\"b\\"","name":"conv","size":20,"first_task":0,\
            "last_task":9223372036854775806,"alignment":8,"hint":5,\
            "gaps":[{"first_task":2,"last_task":3},{"first_task":5,"last_task":5,"window":[4,8]}],\
            "offset":24},\
            {"id":" c","name":"d","size":6,"first_task":1,"last_task":1,"alignment":2,"offset":0}],\
            "usage_graph":[[1],[]]}
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan.csv", "plan.json"})
  void write_failingHalfWay_leavesTheOldFileAndNothingElse(String name) throws IOException {
    Path old = Files.writeString(folder.resolve(name), "old");

    assertThatExceptionOfType(CharacterCodingException.class)
        .isThrownBy(() -> write(planned(inputOfId("\ud800"), 1), name));
    assertThat(folder).isDirectoryContaining(old::equals);
    assertThat(folder.toFile().list()).containsExactly(name);
    assertThat(old).hasContent("old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan.csv", "plan.json"})
  void write_newFile_isAsOthersMayReadItAsAnyNewFile(String name) throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "");

    Path path = write(planned(inputOfId("a"), 1), name);

    assertThat(Files.getPosixFilePermissions(path)).isEqualTo(Files.getPosixFilePermissions(other));
  }

  @Test
  void write_overALink_replacesItsTarget() throws IOException {
    Path real = Files.writeString(folder.resolve("real.csv"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), Path.of("real.csv"));

    write(planned(inputOfId("a"), 1), "link.csv");

    assertThat(link).isSymbolicLink();
    assertThat(real).hasContent("id,lower,upper,size,hint,offset\na,0,5,16,3,0\n");
  }

  @Test
  void write_ontoAFolder_isRefused() throws IOException {
    Files.createDirectory(folder.resolve("plan.csv"));

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> write(planned(inputOfId("a"), 1), "plan.csv"))
        .withMessage("it is a folder, expected the name of a file");
    assertThat(folder.toFile().list()).containsExactly("plan.csv");
  }

  @Test
  void write_jsonToAWriterThatFails_isAnIoError() {
    PlanReport report = planned(inputOfId("a"), 1);
    Writer full =
        new Writer() {
          @Override
          public void write(char[] buffer, int offset, int length) throws IOException {
            throw new IOException("no space left on device");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            ProblemWriter.writeJson(
                (PlanInput.Tensors) report.input(),
                OptionalLong.empty(),
                Optional.empty(),
                Map.of(),
                full))
        .withMessage("no space left on device");
  }

  /** A random problem with all features of the format. */
  private static final class RandomProblem {

    private static final String ID_CHARACTERS = ",\"\n\r ab%'\té\u2028\uFEFF\\{};";

    private final Random random;
    private final int count;
    private final int tasks;
    private final long firstTask;
    private final long largest;
    private final boolean withGaps;
    private final boolean withPins;
    private final boolean oddIds;

    RandomProblem(long seed) {
      random = new Random(seed);
      count = random.nextInt(20);
      tasks = 1 + random.nextInt(30);
      firstTask = random.nextInt(4) == 0 ? Long.MAX_VALUE - tasks : 0;
      largest = random.nextInt(4) == 0 ? 1L << 50 : 1 + random.nextInt(100);
      withGaps = random.nextBoolean();
      withPins = random.nextInt(3) == 0;
      oddIds = random.nextBoolean();
    }

    /** A power of two, for the pins, which are multiples of 64. */
    long alignment() {
      return 1L << random.nextInt(7);
    }

    List<RecordLabel> labels() {
      List<RecordLabel> labels = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String id = oddIds ? oddText() : "t" + i;
        labels.add(new RecordLabel(id, random.nextBoolean() ? id : oddText()));
      }
      return labels;
    }

    private String oddText() {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(6); length > 0; length--) {
        text.append(ID_CHARACTERS.charAt(random.nextInt(ID_CHARACTERS.length())));
      }
      return text.toString();
    }

    List<TensorUsageRecord> records() {
      List<TensorUsageRecord> records = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int first = random.nextInt(tasks);
        int last = first + random.nextInt(tasks - first);
        long bytes = random.nextLong(largest + 1);
        TensorUsageRecord record =
            TensorUsageRecord.of(bytes, firstTask + first, firstTask + last)
                .withAlignment(random.nextBoolean() ? 1 : 1L << random.nextInt(7))
                .withGaps(withGaps ? gaps(first, last, bytes) : List.of());
        if (withPins && random.nextInt(4) == 0) {
          record = record.pinnedAt(64L * random.nextInt(50));
        }
        records.add(random.nextInt(4) == 0 ? record.withHint(random.nextInt(1000)) : record);
      }
      return records;
    }

    private List<Gap> gaps(int first, int last, long bytes) {
      List<Gap> gaps = new ArrayList<>();
      for (int task = first; task <= last; task += 1 + random.nextInt(6)) {
        int end = Math.min(last, task + random.nextInt(3));
        long windowStart = random.nextLong(bytes + 1);
        gaps.add(
            random.nextBoolean()
                ? Gap.of(firstTask + task, firstTask + end)
                : new Gap(
                    firstTask + task,
                    firstTask + end,
                    windowStart,
                    windowStart + random.nextLong(bytes - windowStart + 1)));
        task = end;
      }
      return gaps;
    }
  }

  @Test
  void write_linkToAFileThatDoesNotExist_makesThatFile() throws IOException {
    Files.createDirectory(folder.resolve("d"));
    Path link = Files.createSymbolicLink(folder.resolve("l.csv"), Path.of("d/m.csv"));
    Files.createSymbolicLink(folder.resolve("d/m.csv"), Path.of("../gone.csv"));

    write(planned(inputOfId("a"), 1), "l.csv");

    assertThat(link).isSymbolicLink();
    assertThat(folder.resolve("gone.csv")).isRegularFile();
  }

  @Test
  void write_loopOfLinks_isAnErrorAndKeepsThem() throws IOException {
    Path loop = Files.createSymbolicLink(folder.resolve("l.csv"), Path.of("l.csv"));

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> write(planned(inputOfId("a"), 1), "l.csv"))
        .withMessage("it is a loop of symbolic links");
    assertThat(loop).isSymbolicLink();
  }
}
