package dev.stowage.cli.output;

import dev.stowage.cli.input.RangeText;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.text.CsvField;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.Gap;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.shapes.search.LayoutBucket;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * A writer of problems for all shapes with layouts in CSV: a column of formulas for each layout,
 * whose name has the ranges of the layout.
 */
final class ShapesCsvWriter {

  private ShapesCsvWriter() {}

  static void write(ShapesReport report, Writer out) throws IOException {
    SymbolicProblem problem = report.problem();
    List<SymbolicRecord> records = problem.records();
    List<LayoutBucket> buckets = report.result().buckets();
    boolean isAligned = records.stream().anyMatch(record -> problem.alignmentOf(record) != 1);
    boolean hasGaps = records.stream().anyMatch(record -> !record.gaps().isEmpty());
    List<String> header = new ArrayList<>(List.of("id", "lower", "upper", "size"));
    if (isAligned) {
      header.add("alignment");
    }
    if (hasGaps) {
      header.add("gaps");
    }
    header.add("name");
    for (LayoutBucket bucket : buckets) {
      header.add(CsvField.of("offset[" + RangeText.of(bucket.ranges()) + "]"));
    }
    out.write(String.join(",", header) + "\n");
    for (int i = 0; i < records.size(); i++) {
      SymbolicRecord record = records.get(i);
      RecordLabel label = report.input().labels().get(i);
      List<String> fields = new ArrayList<>();
      fields.add(CsvField.of(label.id()));
      fields.add(Long.toString(record.firstTask()));
      fields.add(Long.toString(record.lastTask() + 1));
      fields.add(CsvField.of(record.bytes().toString()));
      if (isAligned) {
        fields.add(Long.toString(problem.alignmentOf(record)));
      }
      if (hasGaps) {
        fields.add(gaps(record.gaps()));
      }
      fields.add(CsvField.of(label.name()));
      for (LayoutBucket bucket : buckets) {
        fields.add(CsvField.of(bucket.layout().offsets().get(i).toString()));
      }
      out.write(String.join(",", fields) + "\n");
    }
  }

  private static String gaps(List<Gap> gaps) {
    return String.join(
        " ", gaps.stream().map(gap -> gap.firstTask() + "-" + (gap.lastTask() + 1)).toList());
  }
}
