package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.violations.PlanViolation;
import dev.stowage.plan.violations.PlanViolation.BeyondCapacity;
import dev.stowage.plan.violations.PlanViolation.Misaligned;
import dev.stowage.plan.violations.PlanViolation.NotPermitted;
import dev.stowage.plan.violations.PlanViolation.Overlap;
import dev.stowage.plan.violations.PlanViolations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/** The violations of a checked plan: a table for each kind for people, one array for programs. */
final class Violations {

  /** More are for programs. */
  private static final int MAX_ROWS = 100;

  private final PlanInput.Tensors input;
  private final PlanViolations violations;
  private final Map<Integer, String> banks;

  /**
   * @param banks the name of the bank of each record; empty if there is one arena
   */
  Violations(PlanInput.Tensors input, PlanViolations violations, Map<Integer, String> banks) {
    this.input = input;
    this.violations = violations;
    this.banks = banks;
  }

  /**
   * {@return a sentence: whether the plan is valid, and the number of violations of each kind}
   *
   * @param place what the plan is in, such as {@code an arena of 7 bytes}
   */
  String verdict(String place) {
    String path = Printable.of(input.file().path());
    String contents =
        place + " with " + Labels.counts(input.file(), input.labels().size(), "tensor") + ".";
    if (violations.isEmpty()) {
      return path + ": valid: " + contents;
    }
    List<String> parts = new ArrayList<>();
    addTo(parts, violations.overlapCount(), "overlap", "");
    addTo(parts, violations.misalignedCount(), "misaligned offset", "");
    addTo(parts, violations.beyondCapacityCount(), "tensor", " beyond the capacity");
    addTo(parts, violations.notPermittedCount(), "pair", " that the graph does not permit");
    return path + ": not valid: " + String.join(", ", parts) + " in " + contents;
  }

  private static void addTo(List<String> parts, long count, String thing, String more) {
    if (count > 0) {
      parts.add(Numbers.count(count, thing) + more);
    }
  }

  Answer addTo(Answer answer) {
    answer
        .group(
            "violation_counts",
            counts ->
                counts
                    .field("overlap", violations.overlapCount())
                    .field("misaligned", violations.misalignedCount())
                    .field("beyond_capacity", violations.beyondCapacityCount())
                    .field("not_permitted", violations.notPermittedCount()))
        .groups("violations", violations.listed(), this::addFigures);
    List<Overlap> overlaps = first(Overlap.class);
    add(
        answer,
        violations.overlapCount(),
        section("OVERLAP", overlaps, it -> pair(it.first(), it.second()), Overlap::first)
            .text("", "tasks", this::tasks)
            .text("", "bytes", it -> range(it.startByte(), it.endByte() - 1))
            .count("", "in common", it -> it.endByte() - it.startByte()));
    overlaps.forEach(overlap -> inPlaceRule(overlap).ifPresent(rule -> answer.line("%s", rule)));
    add(
        answer,
        violations.misalignedCount(),
        section("MISALIGNED", first(Misaligned.class), it -> name(it.record()), Misaligned::record)
            .count("", "offset", Misaligned::offset)
            .count("", "alignment", Misaligned::alignment));
    add(
        answer,
        violations.beyondCapacityCount(),
        section(
                "BEYOND THE CAPACITY",
                first(BeyondCapacity.class),
                it -> name(it.record()),
                BeyondCapacity::record)
            .count("", "end", BeyondCapacity::endByte)
            .count("", "too high by", it -> it.endByte() - it.capacityBytes()));
    add(
        answer,
        violations.notPermittedCount(),
        section(
                "NOT PERMITTED BY THE GRAPH",
                first(NotPermitted.class),
                it -> pair(it.first(), it.second()),
                NotPermitted::first)
            .text("", "bytes", it -> range(it.startByte(), it.endByte() - 1))
            .count("", "in common", it -> it.endByte() - it.startByte()));
    return answer;
  }

  private <T extends PlanViolation> List<T> first(Class<T> kind) {
    return violations.listed().stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .limit(MAX_ROWS)
        .toList();
  }

  private <T> Table<T> section(
      String title,
      List<T> rows,
      java.util.function.Function<T, String> name,
      ToIntFunction<T> record) {
    Table<T> table = Table.shown(rows).text("", title, name);
    return banks.isEmpty()
        ? table
        : table.text("", "bank", row -> banks.getOrDefault(record.applyAsInt(row), ""));
  }

  private static <T> void add(Answer answer, long count, Table<T> table) {
    if (count > 0) {
      answer.table(table);
    }
    if (count > table.rows().size()) {
      answer.line("  and %s more", Numbers.grouped(count - table.rows().size()));
    }
  }

  private String tasks(Overlap overlap) {
    String first = input.file().cell(overlap.firstTask());
    return overlap.firstTask() == overlap.lastTask()
        ? first
        : first + " to " + input.file().cell(overlap.lastTask());
  }

  /** {@return a sentence on two records that overlap although one may be in place of the other} */
  private Optional<String> inPlaceRule(Overlap overlap) {
    PlanProblem problem = input.problem();
    return problem.inPlace().stream()
        .filter(pair ->
            Set.of(overlap.first(), overlap.second()).equals(Set.of(pair.record(), pair.source())))
        .findFirst()
        .map(pair ->
            Text.of(
                "  %s may be in place of %s, but %s",
                name(pair.record()),
                name(pair.source()),
                AssignmentChecker.inPlaceRule(problem, pair)));
  }

  private String pair(int first, int second) {
    return name(first) + " and " + name(second);
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
    return label.name().equals(label.id()) ? id : Printable.of(label.name()) + " (" + id + ")";
  }

  private void addFigures(PlanViolation violation, Answer answer) {
    switch (violation) {
      case Misaligned misaligned ->
          addKind(answer, "misaligned", firstTask(misaligned.record()), misaligned.record())
              .field("offset", misaligned.offset())
              .field("alignment", misaligned.alignment());
      case BeyondCapacity beyond ->
          addKind(answer, "beyond_capacity", firstTask(beyond.record()), beyond.record())
              .field("end_byte", beyond.endByte());
      case Overlap overlap ->
          addKind(answer, "overlap", overlap.firstTask(), overlap.first(), overlap.second())
              .field("last_task", overlap.lastTask())
              .field("start_byte", overlap.startByte())
              .field("end_byte", overlap.endByte());
      case NotPermitted pair ->
          addKind(
                  answer,
                  "not_permitted",
                  Math.max(firstTask(pair.first()), firstTask(pair.second())),
                  pair.first(),
                  pair.second())
              .field("start_byte", pair.startByte())
              .field("end_byte", pair.endByte());
    }
  }

  /** Adds the ids, which need not be unique, and the indices of the records in the file. */
  private Answer addKind(Answer answer, String kind, long task, int... records) {
    answer
        .field("kind", kind)
        .field(
            "records",
            Figure.texts(Arrays.stream(records).mapToObj(i -> input.labels().get(i).id()).toList()))
        .field("indices", new Figure.Longs(Arrays.stream(records).asLongStream().toArray()));
    if (!banks.isEmpty()) {
      answer.field("bank", banks.getOrDefault(records[0], ""));
    }
    return answer.field("task", task);
  }

  private long firstTask(int record) {
    return input.problem().records().get(record).firstTask();
  }
}
