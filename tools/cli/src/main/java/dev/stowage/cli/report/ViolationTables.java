package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.violations.PlanViolation;
import dev.stowage.plan.violations.PlanViolations;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The violations of a checked plan as tables, one for each kind. */
final class ViolationTables {

  /** More are for programs: JSON has more of them. */
  private static final int MAX_ROWS = 100;

  private final PlanInput.Tensors input;
  private final PlanViolations violations;
  private final Map<Integer, String> banks;

  /**
   * Creates the tables.
   *
   * @param input the problem of the plan
   * @param violations the violations of the plan
   * @param banks the name of the bank of each record; empty if there is one arena
   */
  ViolationTables(PlanInput.Tensors input, PlanViolations violations, Map<Integer, String> banks) {
    this.input = input;
    this.violations = violations;
    this.banks = banks;
  }

  /** Prints a table for each kind of which there are violations, after a blank line. */
  void print(Writer out) throws IOException {
    printOverlaps(out);
    printMisaligned(out);
    printBeyond(out);
    printNotPermitted(out);
  }

  /** {@return "a valid plan", or the number of violations of each kind} */
  String verdict() {
    if (violations.isEmpty()) {
      return "a valid plan";
    }
    List<String> parts = new ArrayList<>();
    if (violations.overlapCount() > 0) {
      parts.add(Numbers.count(violations.overlapCount(), "overlap"));
    }
    if (violations.misalignedCount() > 0) {
      parts.add(Numbers.count(violations.misalignedCount(), "misaligned offset"));
    }
    if (violations.beyondCapacityCount() > 0) {
      parts.add(Numbers.count(violations.beyondCapacityCount(), "tensor") + " beyond the capacity");
    }
    if (violations.notPermittedCount() > 0) {
      parts.add(
          Numbers.count(violations.notPermittedCount(), "pair")
              + " that the graph does not permit");
    }
    return "not a valid plan: " + String.join(", ", parts);
  }

  private <T extends PlanViolation> List<T> first(Class<T> kind) {
    return violations.listed().stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .limit(MAX_ROWS)
        .toList();
  }

  private void printOverlaps(Writer out) throws IOException {
    List<PlanViolation.Overlap> overlaps = first(PlanViolation.Overlap.class);
    TextTable table = section("OVERLAP", "tasks", "bytes", "in common");
    for (PlanViolation.Overlap overlap : overlaps) {
      row(
          table,
          overlap.first(),
          String.format(Locale.ROOT, "  %s and %s", name(overlap.first()), name(overlap.second())),
          tasks(overlap),
          range(overlap.startByte(), overlap.endByte() - 1),
          Numbers.grouped(overlap.endByte() - overlap.startByte()));
    }
    print(table, overlaps.size(), violations.overlapCount(), out);
    for (PlanViolation.Overlap overlap : overlaps) {
      Optional<String> rule = inPlaceRule(overlap);
      if (rule.isPresent()) {
        out.write(rule.get() + "\n");
      }
    }
  }

  private String tasks(PlanViolation.Overlap overlap) {
    String first = input.file().cell(overlap.firstTask());
    return overlap.firstTask() == overlap.lastTask()
        ? first
        : first + " to " + input.file().cell(overlap.lastTask());
  }

  /** {@return a sentence on two records that overlap although one may be in place of the other} */
  private Optional<String> inPlaceRule(PlanViolation.Overlap overlap) {
    PlanProblem problem = input.problem();
    return problem.inPlace().stream()
        .filter(pair ->
            Set.of(overlap.first(), overlap.second()).equals(Set.of(pair.record(), pair.source())))
        .findFirst()
        .map(pair ->
            String.format(
                Locale.ROOT,
                "  %s may be in place of %s, but %s",
                name(pair.record()),
                name(pair.source()),
                AssignmentChecker.inPlaceRule(problem, pair)));
  }

  private void printMisaligned(Writer out) throws IOException {
    List<PlanViolation.Misaligned> misaligned = first(PlanViolation.Misaligned.class);
    TextTable table = section("MISALIGNED", "offset", "alignment");
    for (PlanViolation.Misaligned record : misaligned) {
      row(
          table,
          record.record(),
          "  " + name(record.record()),
          Numbers.grouped(record.offset()),
          Numbers.grouped(record.alignment()));
    }
    print(table, misaligned.size(), violations.misalignedCount(), out);
  }

  private void printBeyond(Writer out) throws IOException {
    List<PlanViolation.BeyondCapacity> beyond = first(PlanViolation.BeyondCapacity.class);
    TextTable table = section("BEYOND THE CAPACITY", "end", "too high by");
    for (PlanViolation.BeyondCapacity record : beyond) {
      row(
          table,
          record.record(),
          "  " + name(record.record()),
          Numbers.grouped(record.endByte()),
          Numbers.grouped(record.endByte() - record.capacityBytes()));
    }
    print(table, beyond.size(), violations.beyondCapacityCount(), out);
  }

  private void printNotPermitted(Writer out) throws IOException {
    List<PlanViolation.NotPermitted> pairs = first(PlanViolation.NotPermitted.class);
    TextTable table = section("NOT PERMITTED BY THE GRAPH", "bytes", "in common");
    for (PlanViolation.NotPermitted pair : pairs) {
      row(
          table,
          pair.first(),
          String.format(Locale.ROOT, "  %s and %s", name(pair.first()), name(pair.second())),
          range(pair.startByte(), pair.endByte() - 1),
          Numbers.grouped(pair.endByte() - pair.startByte()));
    }
    print(table, pairs.size(), violations.notPermittedCount(), out);
  }

  private TextTable section(String title, String... columns) {
    TextTable table = new TextTable();
    table.row("");
    table.row(cells(title, "bank", columns));
    return table;
  }

  private void row(TextTable table, int record, String name, String... cells) {
    table.row(cells(name, Printable.of(banks.getOrDefault(record, "")), cells));
  }

  /** {@return the cells of a row, which has a bank if records have banks} */
  private String[] cells(String first, String bank, String... more) {
    Stream<String> start = banks.isEmpty() ? Stream.of(first) : Stream.of(first, bank);
    return Stream.concat(start, Stream.of(more)).toArray(String[]::new);
  }

  private static void print(TextTable table, int rowCount, long count, Writer out)
      throws IOException {
    if (count > rowCount) {
      table.row(String.format(Locale.ROOT, "  and %s more", Numbers.grouped(count - rowCount)));
    }
    if (count > 0) {
      table.print(out);
    }
  }

  /** {@return the ends of a range, or one number if they are equal} */
  private static String range(long first, long last) {
    return first == last
        ? Numbers.grouped(first)
        : Numbers.grouped(first) + " to " + Numbers.grouped(last);
  }

  private String name(int record) {
    RecordLabel label = input.labels().get(record);
    String id = Printable.of(label.id());
    return label.name().equals(label.id())
        ? id
        : String.format(Locale.ROOT, "%s (%s)", Printable.of(label.name()), id);
  }
}
