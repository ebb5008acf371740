package dev.stowage.cli.output;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.StringJoiner;

/** Writes a problem with the offsets of a plan in CSV: MiniMalloc's format. */
final class ProblemCsvWriter {

  private final List<TensorUsageRecord> records;
  private final boolean hasAlignments;
  private final boolean hasHints;
  private final boolean hasGaps;

  private ProblemCsvWriter(List<TensorUsageRecord> records) {
    this.records = records;
    hasAlignments = records.stream().anyMatch(record -> record.alignment() != 1);
    hasHints = records.stream().anyMatch(record -> record.hint().isPresent());
    hasGaps = records.stream().anyMatch(record -> !record.gaps().isEmpty());
  }

  static void write(PlanInput.Tensors input, Plan.Offsets plan, Writer out) throws IOException {
    new ProblemCsvWriter(input.problem().records()).writeAll(input, plan, out);
  }

  private void writeAll(PlanInput.Tensors input, Plan.Offsets plan, Writer out) throws IOException {
    out.write(
        "id,lower,upper,size%s%s%s,offset\n"
            .formatted(
                hasAlignments ? ",alignment" : "",
                hasHints ? ",hint" : "",
                hasGaps ? ",gaps" : ""));
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      StringJoiner row = new StringJoiner(",", "", "\n");
      row.add(quoted(input.labels().get(i).id()));
      row.add(Long.toString(record.firstTask()));
      row.add(Long.toString(record.lastTask() + 1));
      row.add(Long.toString(record.bytes()));
      if (hasAlignments) {
        row.add(Long.toString(record.alignment()));
      }
      if (hasHints) {
        row.add(Long.toString(record.hint().orElse(-1)));
      }
      if (hasGaps) {
        row.add(String.join(" ", record.gaps().stream().map(ProblemCsvWriter::gap).toList()));
      }
      row.add(Long.toString(plan.assignment().offset(i)));
      out.write(row.toString());
    }
  }

  /** {@return an id as a field, in quotes where it would not be read again as it is} */
  private static String quoted(String id) {
    boolean plain = id.equals(id.strip()) && id.chars().noneMatch(c -> ",\"\n\r".indexOf(c) >= 0);
    return plain ? id : '"' + id.replace("\"", "\"\"") + '"';
  }

  private static String gap(Gap gap) {
    String tasks = gap.firstTask() + "-" + (gap.lastTask() + 1);
    return gap.windowEnd() == 0 ? tasks : tasks + "@" + gap.windowStart() + ":" + gap.windowEnd();
  }
}
