package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.core.plan.CapacityConflict;
import dev.stowage.core.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.List;

/** Prints why no plan fits: the tensors in the way, the largest first. */
final class ExplanationTable {

  /** More are for programs: JSON has them all. */
  private static final int MOST_ROWS = 40;

  private final PlanInput.Tensors input;

  private ExplanationTable(PlanInput.Tensors input) {
    this.input = input;
  }

  static void print(Explanation explanation, PlanInput.Tensors input, Writer out)
      throws IOException {
    out.write("\nWhy not " + Numbers.grouped(explanation.capacityBytes()) + " bytes: ");
    if (explanation.conflict().isEmpty()) {
      out.write("no small set of tensors is known that cannot fit together.\n");
      return;
    }
    CapacityConflict conflict = explanation.conflict().get();
    out.write(sentence(conflict) + "\n\n");
    for (String line : new ExplanationTable(input).table(conflict).lines()) {
      out.write(line + "\n");
    }
  }

  private static String sentence(CapacityConflict conflict) {
    String least = Numbers.grouped(conflict.leastBytes());
    String tensors = Numbers.count(conflict.records().size(), "tensor");
    return conflict.task().isPresent()
        ? "at task %s, %s of %s bytes in all %s live."
            .formatted(
                Numbers.grouped(conflict.task().getAsLong()),
                tensors,
                least,
                conflict.records().size() == 1 ? "is" : "are")
        : "%s cannot fit together, in whatever places; they need %s bytes."
            .formatted(tensors, least);
  }

  private TextTable table(CapacityConflict conflict) {
    List<Integer> largestFirst =
        conflict.records().stream()
            .sorted(Comparator.comparingLong(this::bytes).reversed())
            .toList();
    TextTable table = new TextTable();
    table.row("TENSOR", "id", "bytes", "first task", "last task");
    largestFirst.stream().limit(MOST_ROWS).forEach(record -> row(table, record));
    List<Integer> others = largestFirst.stream().skip(MOST_ROWS).toList();
    if (!others.isEmpty()) {
      long bytes = others.stream().mapToLong(this::bytes).sum();
      table.row(
          "  and %s more".formatted(Numbers.grouped(others.size())), "", Numbers.grouped(bytes));
    }
    return table;
  }

  private void row(TextTable table, int record) {
    RecordLabel label = input.labels().get(record);
    TensorUsageRecord usage = input.problem().records().get(record);
    table.row(
        "  " + Printable.of(label.name()),
        Printable.of(label.id()),
        Numbers.grouped(usage.bytes()),
        Numbers.grouped(usage.firstTask()),
        Numbers.grouped(usage.lastTask()));
  }

  private long bytes(int record) {
    return input.problem().records().get(record).bytes();
  }
}
