package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.input.TypedShape;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Prints why no plan fits: the tensors in the way, the largest first, and the changes that would
 * help.
 */
final class ExplanationTable {

  /** More are for programs: JSON has them all. */
  private static final int MAX_ROWS = 40;

  private final PlanInput.Tensors input;
  private final PlanProblem problem;
  private final CapacityConflict conflict;

  private ExplanationTable(PlanInput.Tensors input, CapacityConflict conflict) {
    this.input = input;
    problem = input.problem().withoutUnusedGaps();
    this.conflict = conflict;
  }

  /**
   * Prints an explanation and its tensors.
   *
   * @param file the start of the sentence with the file; empty if there is only one file
   */
  static void print(Explanation explanation, PlanInput.Tensors input, String file, Writer out)
      throws IOException {
    String why = sentence(explanation, input);
    out.write(
        String.format(
            Locale.ROOT, "\n%s%s\n", file, file.isEmpty() ? why : "w" + why.substring(1)));
    if (explanation.conflict().isPresent()) {
      out.write("\n");
      new ExplanationTable(input, explanation.conflict().get()).table().print(out);
    }
    List<String> sentences = RemedyText.of(explanation, input.file());
    if (!sentences.isEmpty()) {
      out.write("\n");
      for (String sentence : sentences) {
        out.write(sentence + "\n");
      }
    }
  }

  /** {@return the reason that no plan fits: {@code Why not 119 bytes: at task 51, 3 live …}} */
  static String sentence(Explanation explanation, PlanInput.Tensors input) {
    return String.format(
        Locale.ROOT,
        "Why not %s: %s.",
        Numbers.count(explanation.capacityBytes(), "byte"),
        ExplanationText.of(explanation, input));
  }

  /** A column of the table; the row of the remaining tensors has no value in it. */
  private record Column(String title, Function<TensorUsageRecord, String> cell) {}

  private TextTable table() {
    List<Integer> largestFirst =
        conflict.records().stream()
            .sorted(Comparator.comparingLong(this::bytes).reversed())
            .toList();
    List<Column> columns = columns();
    boolean hasShapes =
        conflict.records().stream().anyMatch(i -> input.labels().get(i).shape().isPresent());
    TextTable table = new TextTable();
    List<String> header = new ArrayList<>(List.of("TENSOR", "id", "bytes"));
    if (hasShapes) {
      header.add("shape");
    }
    columns.forEach(column -> header.add(column.title));
    table.row(header);
    for (int i : largestFirst.subList(0, Math.min(MAX_ROWS, largestFirst.size()))) {
      RecordLabel label = input.labels().get(i);
      List<String> row = new ArrayList<>();
      row.add("  " + Printable.of(label.name()));
      row.add(Printable.of(label.id()));
      row.add(Numbers.grouped(bytes(i)));
      if (hasShapes) {
        row.add(label.shape().map(TypedShape::toString).map(Printable::of).orElse(""));
      }
      columns.forEach(column -> row.add(column.cell.apply(problem.records().get(i))));
      table.row(row);
    }
    List<Integer> others = largestFirst.stream().skip(MAX_ROWS).toList();
    if (!others.isEmpty()) {
      long bytes = others.stream().mapToLong(this::bytes).sum();
      table.row(
          String.format(Locale.ROOT, "  and %s more", Numbers.grouped(others.size())),
          "",
          Numbers.grouped(bytes));
    }
    return table;
  }

  /** {@return the columns after the bytes; alignments, pins and windows if they matter} */
  private List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    List<TensorUsageRecord> records =
        conflict.records().stream().map(problem.records()::get).toList();
    if (conflict.reason() instanceof Reason.LiveBytes live
        && records.stream().anyMatch(r -> r.bytesNeededAt(live.task()) < r.bytes())) {
      columns.add(new Column("live", record -> Numbers.grouped(record.bytesNeededAt(live.task()))));
    }
    if (!(conflict.reason() instanceof Reason.LiveBytes)
        && records.stream().anyMatch(record -> problem.alignmentOf(record) > 1)) {
      columns.add(new Column("alignment", record -> Numbers.grouped(problem.alignmentOf(record))));
    }
    if (records.stream().anyMatch(record -> record.pinnedOffset().isPresent())) {
      columns.add(
          new Column(
              "pinned to",
              record ->
                  record.pinnedOffset().isPresent()
                      ? Numbers.grouped(record.pinnedOffset().getAsLong())
                      : ""));
    }
    columns.add(new Column("first task", record -> input.file().cell(record.firstTask())));
    columns.add(new Column("last task", record -> input.file().cell(record.lastTask())));
    return columns;
  }

  private long bytes(int record) {
    return problem.records().get(record).bytes();
  }
}
