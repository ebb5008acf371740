package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.core.plan.CapacityConflict;
import dev.stowage.core.plan.LowerBounds;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of records that do not fit together. */
final class ExplanationTest {

  private static PlanReport report(int recordCount, Optional<CapacityConflict> conflict) {
    List<RecordLabel> labels =
        IntStream.range(0, recordCount)
            .mapToObj(i -> new RecordLabel("" + i, "conv\n" + i))
            .toList();
    PlanProblem problem =
        PlanProblem.of(
            IntStream.range(0, recordCount)
                .mapToObj(i -> TensorUsageRecord.of(1000 + i, 1000, 2000 + i))
                .toList());
    InputFile file = new InputFile("p.json", "json", 9, OptionalLong.empty(), List.of());
    return new PlanReport(
        new PlanInput.Tensors(file, labels, problem),
        Optional.of(LowerBounds.of(problem)),
        List.of(),
        List.of(),
        Optional.of(new Explanation(2500, conflict)));
  }

  private static Optional<CapacityConflict> conflict(int recordCount, OptionalLong task) {
    List<Integer> records = IntStream.range(0, recordCount).boxed().toList();
    return Optional.of(new CapacityConflict(records, 3003, task));
  }

  private static String printed(PlanFormat format, PlanReport report) throws IOException {
    StringWriter out = new StringWriter();
    format.print(List.of(report), out);
    return out.toString();
  }

  @Test
  void table_recordsOfOneTask_areListedLargestFirst() throws IOException {
    assertThat(printed(PlanFormat.table(), report(3, conflict(3, OptionalLong.of(1000)))))
        .endsWith(
            """

            Why not 2,500 bytes: at task 1,000, 3 tensors of 3,003 bytes in all are live.

            TENSOR    id  bytes  first task  last task
              conv?2   2  1,002       1,000      2,002
              conv?1   1  1,001       1,000      2,001
              conv?0   0  1,000       1,000      2,000
            """);
  }

  @Test
  void table_recordsThatTakeASearch_saysThatPlacesDoNotHelp() throws IOException {
    assertThat(printed(PlanFormat.table(), report(3, conflict(3, OptionalLong.empty()))))
        .contains(
            "\nWhy not 2,500 bytes: 3 tensors cannot fit together, in whatever places; they need 3,003 bytes.\n");
  }

  @Test
  void table_manyRecords_sumsUpTheSmallest() throws IOException {
    assertThat(printed(PlanFormat.table(), report(45, conflict(45, OptionalLong.of(1000)))))
        .contains("\n  conv?5       5  1,005 ")
        .endsWith("\n  and 5 more      5,010\n");
  }

  @Test
  void table_nothingProved_saysSo() throws IOException {
    assertThat(printed(PlanFormat.table(), report(3, Optional.empty())))
        .endsWith(
            "\nWhy not 2,500 bytes: no small set of tensors is known that cannot fit together.\n");
  }

  @Test
  void json_conflict_hasItsRecords() throws IOException {
    assertThat(printed(PlanFormat.json(), report(2, conflict(2, OptionalLong.of(1000)))))
        .endsWith(
            ",\"explanation\":{\"capacity\":2500,\"proved\":true,\"least_bytes\":3003,\"task\":1000,"
                + "\"records\":[{\"id\":\"0\",\"name\":\"conv\\n0\",\"bytes\":1000,\"first_task\":1000,\"last_task\":2000},"
                + "{\"id\":\"1\",\"name\":\"conv\\n1\",\"bytes\":1001,\"first_task\":1000,\"last_task\":2001}]}}\n");
  }

  @Test
  void json_nothingProved_hasNoRecords() throws IOException {
    assertThat(printed(PlanFormat.json(), report(2, Optional.empty())))
        .endsWith(",\"explanation\":{\"capacity\":2500,\"proved\":false}}\n");
  }
}
