package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.OptionEffect;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Explanations of records that do not fit together. */
final class ExplanationTest {

  private static final InputFile FILE =
      new InputFile("p.json", "json", 9, OptionalLong.empty(), List.of());

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  /** Tensors of 1,000 bytes, 1,001 bytes and so on. */
  private static PlanProblem problem(int recordCount) {
    return PlanProblem.of(
        IntStream.range(0, recordCount).mapToObj(i -> record(1000 + i, 1000, 2000 + i)).toList());
  }

  private static PlanReport report(
      PlanProblem problem, long capacityBytes, Optional<CapacityConflict> conflict) {
    List<RecordLabel> labels =
        IntStream.range(0, problem.records().size())
            .mapToObj(i -> new RecordLabel("" + i, "conv\n" + i))
            .toList();
    return new PlanReport(
        new PlanInput.Tensors(FILE, labels, problem),
        Optional.of(LowerBounds.of(problem)),
        List.of(),
        List.of(),
        List.of(Explanation.of(problem, capacityBytes, conflict, List.of())),
        false);
  }

  /** {@return a report in which all records conflict with each other} */
  private static PlanReport report(PlanProblem problem, long leastBytes, Reason reason) {
    List<Integer> all = IntStream.range(0, problem.records().size()).boxed().toList();
    return report(
        problem, leastBytes - 1, Optional.of(new CapacityConflict(all, leastBytes, reason)));
  }

  private static String table(PlanReport report) throws IOException {
    return Printed.of(
        AnswerPrinter.Format.TABLE, PlanAnswer.of(report, Optional.empty(), OptionalLong.empty()));
  }

  private static String sentence(PlanReport report) throws IOException {
    String printed = table(report);
    return printed.substring(printed.indexOf("Why not ")).lines().findFirst().orElseThrow();
  }

  @Test
  void table_liveBytes_listsTheRecordsLargestFirst() throws IOException {
    assertThat(table(report(problem(3), 3003, new Reason.LiveBytes(1000, true))))
        .endsWith(
            """

            Why not 3,002 bytes: at task 1,000, 3 live tensors need 3,003 bytes.

            TENSOR    bytes  first task  last task
              conv?2  1,002       1,000      2,002
              conv?1  1,001       1,000      2,001
              conv?0  1,000       1,000      2,000

            Peak: 3,003 bytes (2.933 KiB) live at task 1,000 to 2,000.
            """);
  }

  @Test
  void table_liveBytesOfWindows_countsTheLiveOnes() throws IOException {
    PlanProblem problem =
        PlanProblem.of(
            List.of(record(20, 0, 3).withGaps(List.of(new Gap(1, 2, 4, 10))), record(1, 0, 3)));
    assertThat(table(report(problem, 7, new Reason.LiveBytes(1, true))))
        .endsWith(
            """

            Why not 6 bytes: at task 1, 2 live tensors need 7 bytes.

            TENSOR    bytes  first task  last task
              conv?0     20           0          3
              conv?1      1           0          3

            Peak: 21 bytes live at task 0, task 3.
            """);
  }

  @Test
  void table_liveBytesOfPinsOnEachOther_countsSharedOnesOnce() throws IOException {
    PlanProblem problem =
        PlanProblem.of(List.of(record(4, 0, 3).pinnedAt(0), record(4, 0, 3).pinnedAt(2)));
    assertThat(table(report(problem, 6, new Reason.LiveBytes(0, true))))
        .endsWith(
            """

            Why not 5 bytes: at task 0, 2 live tensors need 6 bytes.

            TENSOR    bytes  pinned to  first task  last task
              conv?0      4          0           0          3
              conv?1      4          2           0          3

            Peak: 6 bytes live at task 0 to 3.
            """);
  }

  @Test
  void table_liveBytesThatAreOnlyABound_saysAtLeast() throws IOException {
    PlanReport report = report(problem(2), 2001, new Reason.LiveBytes(1000, false));
    assertThat(sentence(report))
        .isEqualTo("Why not 2,000 bytes: at task 1,000, 2 live tensors need at least 2,001 bytes.");
    assertThat(explanation(report))
        .contains("\"reason\":\"live_bytes\",\"least_bytes\":2001,\"exact\":false,\"task\":1000,");
  }

  @Test
  void table_oneRecord_saysWhereItEnds() throws IOException {
    assertThat(
            sentence(
                report(PlanProblem.of(List.of(record(1, 0, 0))), 1, new Reason.LiveBytes(0, true))))
        .isEqualTo("Why not 0 bytes: at task 0, 1 live tensor needs 1 byte.");
    PlanProblem pinned = PlanProblem.of(List.of(record(1, 0, 0).pinnedAt(1)));
    assertThat(sentence(report(pinned, 2, new Reason.RecordEnd())))
        .isEqualTo("Why not 1 byte: 1 tensor of 1 byte ends at byte 2.");
    PlanProblem cut = PlanProblem.of(List.of(record(9, 0, 0).withGaps(List.of(Gap.of(0, 0)))));
    assertThat(sentence(report(cut, 9, new Reason.RecordEnd())))
        .isEqualTo("Why not 8 bytes: 1 tensor of 9 bytes ends at byte 9.");
  }

  @Test
  void table_padding_namesTheAlignment() throws IOException {
    PlanProblem problem =
        PlanProblem.of(List.of(record(5, 2, 2), record(5, 2, 3))).withAlignment(8);
    assertThat(table(report(problem, 13, new Reason.Padding(2, 8, true))))
        .endsWith(
            """

            Why not 12 bytes: at task 2, 2 live tensors need 13 bytes with padding, because their offsets are multiples of 8.

            TENSOR    bytes  first task  last task
              conv?0      5           2          2
              conv?1      5           2          3

            Peak: 10 bytes live at task 2.
            """);
    assertThat(sentence(report(problem, 13, new Reason.Padding(2, 4, false))))
        .isEqualTo(
            "Why not 12 bytes: at task 2, 2 live tensors need at least 13 bytes with padding, because their offsets are multiples of 4.");
  }

  @Test
  void table_pins_namesTheTensorWithoutRoom() throws IOException {
    PlanProblem problem =
        PlanProblem.of(
            List.of(record(2, 0, 3).pinnedAt(4), record(1, 0, 3).pinnedAt(9), record(5, 3, 4)));
    assertThat(sentence(report(problem, 15, new Reason.Pins(2, true))))
        .isEqualTo(
            "Why not 14 bytes: 2 pinned tensors and a tensor of 5 bytes have no room; together they need 15 bytes.");
  }

  @Test
  void table_search_saysThatItWasExhaustiveAndWhetherTheBytesAreABound() throws IOException {
    assertThat(sentence(report(problem(3), 3003, new Reason.NoPlacement(true))))
        .isEqualTo(
            "Why not 3,002 bytes: no placement of these 3 tensors fits (exhaustive search); they need 3,003 bytes.");
    assertThat(sentence(report(problem(3), 3003, new Reason.NoPlacement(false))))
        .isEqualTo(
            "Why not 3,002 bytes: no placement of these 3 tensors fits (exhaustive search); they need at least 3,003 bytes.");
  }

  @Test
  void table_effects_haveTheBytesOrTheProof() throws IOException {
    Explanation plain = Explanation.ofPeak(problem(1));
    Explanation explanation =
        new Explanation(
            999,
            Optional.empty(),
            plain.peak(),
            List.of(
                new OptionEffect("--alias", false, 1000, 920, 920),
                new OptionEffect("--alias", true, 1000, 1100, 1100),
                new OptionEffect("--scratch", true, 1000, 1000, 1000),
                new OptionEffect("--alias", false, 1000, 1000, 1000),
                new OptionEffect("--alias", false, 1000, 1000, 500),
                new OptionEffect("--reorder", false, 1100, 1100, 1000),
                new OptionEffect("--reorder", false, 1100, 1100, 999)));
    assertThat(RemedyText.of(explanation, FILE))
        .containsExactly(
            "Peak: 1,000 bytes live at task 1,000 to 2,000.",
            "--alias: 920 bytes (-8.0 %)",
            "--alias: in use; 1,100 bytes (1.074 KiB) without it (+10.0 %)",
            "--scratch: in use; 1,000 bytes without it (+0.0 %)",
            "--alias: no smaller arena (proved)",
            "--alias: no smaller arena was found",
            "--reorder: no smaller arena was found",
            "--reorder: no smaller arena was found");
  }

  @Test
  void table_manyPeaks_namesTheFirst() {
    PlanProblem problem =
        PlanProblem.of(IntStream.range(0, 10).mapToObj(i -> record(5, 2L * i, 2L * i)).toList());
    List<TaskLabel> tasks =
        IntStream.range(0, 20)
            .mapToObj(i -> new TaskLabel("Add " + i, i == 2 ? "block\u202E/add" : ""))
            .toList();
    InputFile model = new InputFile("m.onnx", "onnx", 20, tasks, OptionalLong.empty(), List.of());
    assertThat(RemedyText.of(Explanation.ofPeak(problem), model))
        .containsExactly(
            "Peak: 5 bytes live at Add 0, Add 2 (block?/add), Add 4, Add 6, Add 8, Add 10, Add 12, Add 14 and 2 more.");
  }

  @Test
  void table_manyRecords_sumsUpTheSmallest() throws IOException {
    assertThat(table(report(problem(45), 45_990, new Reason.LiveBytes(1000, true))))
        .contains("\n  conv?5   1,005 ")
        .endsWith(
            """

              and 5 more

            Peak: 45,990 bytes (44.912 KiB) live at task 1,000 to 2,000.
            """);
  }

  @Test
  void table_nothingProved_isStated() throws IOException {
    assertThat(table(report(problem(3), 2500, Optional.empty())))
        .endsWith(
            """

            Why not 2,500 bytes: not proved; no tensors that cannot fit together were found.

            Peak: 3,003 bytes (2.933 KiB) live at task 1,000 to 2,000.
            """);
  }

  @Test
  void table_severalFiles_explainsEachBehindTheComparison() throws IOException {
    PlansAnswer plans = new PlansAnswer(List.of());
    plans.add(report(problem(1), 1000, new Reason.LiveBytes(1000, true)));
    plans.add(report(problem(2), 2500, Optional.empty()));
    assertThat(
            Printed.of(
                AnswerPrinter.Format.TABLE,
                plans.answers(it -> PlanAnswer.of(it, Optional.empty(), OptionalLong.empty()))))
        .endsWith(
            """

            p.json: why not 999 bytes: at task 1,000, 1 live tensor needs 1,000 bytes.

            TENSOR    bytes  first task  last task
              conv?0  1,000       1,000      2,000

            Peak: 1,000 bytes live at task 1,000 to 2,000.

            p.json: why not 2,500 bytes: not proved; no tensors that cannot fit together were found.

            Peak: 2,001 bytes (1.954 KiB) live at task 1,000 to 2,000.
            """);
  }

  private static String explanation(PlanReport report) throws IOException {
    String json =
        Printed.of(
            AnswerPrinter.Format.JSON,
            PlanAnswer.of(report, Optional.empty(), OptionalLong.empty()));
    return json.substring(json.indexOf(",\"explanation\":"));
  }

  @Test
  void json_liveBytes_hasWhatEachRecordNeeds() throws IOException {
    assertThat(explanation(report(problem(2), 2001, new Reason.LiveBytes(1000, true))))
        .isEqualTo(
            ",\"explanation\":{\"capacity\":2000,\"proved\":true,\"reason\":\"live_bytes\",\"least_bytes\":2001,\"exact\":true,\"task\":1000,"
                + "\"records\":[{\"id\":\"0\",\"name\":\"conv\\n0\",\"bytes\":1000,\"first_task\":1000,\"last_task\":2000},"
                + "{\"id\":\"1\",\"name\":\"conv\\n1\",\"bytes\":1001,\"first_task\":1000,\"last_task\":2001}],"
                + "\"peak\":{\"bytes\":2001,\"tasks\":[[1000,2000]]},"
                + "\"effects\":[]}}\n");
  }

  @Test
  void json_otherReasons_haveWhatBelongsToThem() throws IOException {
    PlanProblem pinned = PlanProblem.of(List.of(record(1, 0, 0).pinnedAt(6)));
    assertThat(explanation(report(pinned, 7, new Reason.RecordEnd())))
        .contains("\"reason\":\"record_end\",\"least_bytes\":7,\"exact\":true,\"records\":")
        .contains("\"last_task\":0,\"offset\":6}");
    assertThat(explanation(report(problem(1), 9, new Reason.Padding(3, 8, false))))
        .contains(
            "\"reason\":\"alignment_padding\",\"least_bytes\":9,\"exact\":false,\"task\":3,\"alignment\":8,\"records\":");
    assertThat(explanation(report(problem(1), 9, new Reason.Pins(0, true))))
        .contains("\"reason\":\"pins\",\"least_bytes\":9,\"exact\":true,\"records\":");
    assertThat(explanation(report(problem(1), 9, new Reason.NoPlacement(true))))
        .contains("\"reason\":\"no_placement\",\"least_bytes\":9,\"exact\":true,\"records\":");
  }

  @Test
  void json_nothingProved_hasNoRecords() throws IOException {
    assertThat(explanation(report(problem(2), 2500, Optional.empty())))
        .isEqualTo(
            ",\"explanation\":{\"capacity\":2500,\"proved\":false,"
                + "\"peak\":{\"bytes\":2001,\"tasks\":[[1000,2000]]},\"effects\":[]}}\n");
  }
}
