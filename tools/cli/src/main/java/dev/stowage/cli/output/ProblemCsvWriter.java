package dev.stowage.cli.output;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.text.CsvField;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A writer of problems with the offsets of a plan in CSV: MiniMalloc's format and a column of
 * names.
 *
 * <p>The file has an optional column if a record needs it.
 */
public final class ProblemCsvWriter {

  private record Column(String name, IntFunction<String> field) {}

  private ProblemCsvWriter() {}

  static void write(PlanInput.Tensors input, Plan.Offsets plan, Writer out) throws IOException {
    write(input, plan.assignment().offsets(), input.banks().ties(), out);
  }

  /** Writes a problem without offsets. */
  static void writeUnpinned(PlanInput.Tensors input, Writer out) throws IOException {
    write(columns(input, input.banks().ties()), input, out);
  }

  /** Writes a problem with offsets. */
  public static void write(
      PlanInput.Tensors input, long[] offsets, Map<Integer, String> banks, Writer out)
      throws IOException {
    List<Column> columns = columns(input, banks);
    columns.add(new Column("offset", i -> Long.toString(offsets[i])));
    write(columns, input, out);
  }

  private static void write(List<Column> columns, PlanInput.Tensors input, Writer out)
      throws IOException {
    out.write(String.join(",", columns.stream().map(Column::name).toList()) + "\n");
    for (int i = 0; i < input.labels().size(); i++) {
      int record = i;
      List<String> fields =
          columns.stream().map(column -> CsvField.of(column.field.apply(record))).toList();
      out.write(String.join(",", fields) + "\n");
    }
  }

  private static List<Column> columns(PlanInput.Tensors input, Map<Integer, String> banks) {
    PlanProblem problem = input.problem();
    List<TensorUsageRecord> records = problem.records();
    List<RecordLabel> labels = input.labels();
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("id", i -> labels.get(i).id()));
    columns.add(new Column("lower", i -> Long.toString(records.get(i).firstTask())));
    columns.add(new Column("upper", i -> Long.toString(records.get(i).lastTask() + 1)));
    columns.add(new Column("size", i -> Long.toString(records.get(i).bytes())));
    if (records.stream().anyMatch(record -> problem.alignmentOf(record) != 1)) {
      columns.add(new Column("alignment", i -> Long.toString(problem.alignmentOf(records.get(i)))));
    }
    if (records.stream().anyMatch(record -> record.hint().isPresent())) {
      columns.add(
          new Column(
              "hint",
              i ->
                  records.get(i).hint().isPresent()
                      ? Long.toString(records.get(i).hint().getAsLong())
                      : ""));
    }
    if (records.stream().anyMatch(record -> !record.gaps().isEmpty())) {
      columns.add(new Column("gaps", i -> gaps(records.get(i).gaps())));
    }
    if (!problem.inPlace().isEmpty()) {
      Map<Integer, String> sources = PlanInput.sourceIds(problem, labels);
      columns.add(new Column("in_place_of", i -> sources.getOrDefault(i, "")));
    }
    if (labels.stream().anyMatch(label -> !label.name().equals(label.id()))) {
      columns.add(new Column("name", i -> labels.get(i).name()));
    }
    if (input.hasReadsBesidePlan(banks)) {
      columns.add(new Column("reads", i -> Long.toString(input.banks().reads(i))));
    }
    if (!banks.isEmpty()) {
      columns.add(new Column("bank", i -> banks.getOrDefault(i, "")));
    }
    return columns;
  }

  private static String gaps(List<Gap> gaps) {
    return String.join(" ", gaps.stream().map(ProblemCsvWriter::gap).toList());
  }

  private static String gap(Gap gap) {
    String tasks = gap.firstTask() + "-" + (gap.lastTask() + 1);
    return gap.windowEnd() == 0 ? tasks : tasks + "@" + gap.windowStart() + ":" + gap.windowEnd();
  }
}
