package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The violations of a checked plan: lines for people, an array for programs. */
final class Violations {

  /** The number of lines of each kind; programs get more. */
  private static final int MAX_LINES = 100;

  private static final List<Class<? extends PlanViolation>> KINDS =
      List.of(Overlap.class, Misaligned.class, BeyondCapacity.class, NotPermitted.class);

  private final PlanInput.Tensors input;
  private final PlanViolations violations;

  /** The name of the bank of each record; empty if there is one arena. */
  private final Map<Integer, String> banks;

  Violations(CheckReport report) {
    input = report.input();
    violations = report.violations();
    banks = report.isBanked() ? input.banks().ties() : Map.of();
  }

  /**
   * {@return a sentence: whether the plan is valid, and the number of violations of each kind}
   *
   * @param place the memory of the plan, such as {@code an arena of 7 bytes}
   */
  String verdict(String place) {
    String contents =
        place + " with " + Labels.counts(input.file(), input.labels().size(), "tensor") + ".";
    if (violations.isEmpty()) {
      return "valid: " + contents;
    }
    List<String> parts = new ArrayList<>();
    boolean isCut = violations.overlapCount() == PlanViolations.MAX_OVERLAPS;
    addTo(parts, violations.overlapCount(), "overlap", isCut ? " or more" : "");
    addTo(parts, violations.misalignedCount(), "misaligned offset", "");
    addTo(parts, violations.beyondCapacityCount(), "tensor", " beyond the capacity");
    addTo(parts, violations.notPermittedCount(), "pair", " that the graph does not permit");
    return "not valid: " + String.join(", ", parts) + " in " + contents;
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
    List<PlanViolation> shown = KINDS.stream().flatMap(this::first).toList();
    if (!shown.isEmpty()) {
      answer.line("%nVIOLATIONS");
      shown.forEach(violation -> answer.line("  %s", sentence(violation)));
    }
    if (violations.count() > shown.size()) {
      answer.line("  and %s more", Numbers.grouped(violations.count() - shown.size()));
    }
    return answer;
  }

  private Stream<PlanViolation> first(Class<? extends PlanViolation> kind) {
    return violations.listed().stream().filter(kind::isInstance).limit(MAX_LINES);
  }

  private static List<Integer> records(PlanViolation violation) {
    return switch (violation) {
      case Overlap overlap -> List.of(overlap.first(), overlap.second());
      case Misaligned misaligned -> List.of(misaligned.record());
      case BeyondCapacity beyond -> List.of(beyond.record());
      case NotPermitted pair -> List.of(pair.first(), pair.second());
    };
  }

  private String name(int record) {
    RecordLabel label = input.labels().get(record);
    String id = Printable.of(label.id());
    return label.name().equals(label.id()) ? id : Printable.of(label.name()) + " (" + id + ")";
  }

  private String sentence(PlanViolation violation) {
    List<Integer> records = records(violation);
    return records.stream().map(this::name).collect(Collectors.joining(" and "))
        + (banks.isEmpty() ? "" : " in bank " + Printable.of(bank(records)))
        + ": "
        + rule(violation);
  }

  private String bank(List<Integer> records) {
    return banks.getOrDefault(records.getFirst(), "");
  }

  private String rule(PlanViolation violation) {
    return switch (violation) {
      case Overlap it ->
          Text.of(
              "overlap at %s in %s%s",
              tasks(it), bytes(it.startByte(), it.endByte()), inPlaceRule(it));
      case Misaligned it ->
          Text.of("offset %,d is not a multiple of %,d", it.offset(), it.alignment());
      case BeyondCapacity it ->
          Text.of(
              "ends at byte %,d, %,d beyond the capacity",
              it.endByte(), it.endByte() - it.capacityBytes());
      case NotPermitted it ->
          Text.of("the graph does not permit common %s", bytes(it.startByte(), it.endByte()));
    };
  }

  private String tasks(Overlap overlap) {
    String first = input.file().nameOf(overlap.firstTask());
    return overlap.firstTask() == overlap.lastTask()
        ? first
        : first + " to " + input.file().cell(overlap.lastTask());
  }

  private static String bytes(long start, long end) {
    return Text.of("bytes %,d to %,d (%,d)", start, end - 1, end - start);
  }

  /** {@return the reason that a record overlaps another one although it may be in its place} */
  private String inPlaceRule(Overlap overlap) {
    PlanProblem problem = input.problem();
    return problem.inPlace().stream()
        .filter(pair ->
            Set.of(overlap.first(), overlap.second()).equals(Set.of(pair.record(), pair.source())))
        .findFirst()
        .map(pair ->
            Text.of(
                "; %s may be in place of %s, but %s",
                name(pair.record()),
                name(pair.source()),
                AssignmentChecker.inPlaceRule(problem, pair)))
        .orElse("");
  }

  private void addFigures(PlanViolation violation, Answer answer) {
    List<Integer> records = records(violation);
    switch (violation) {
      case Misaligned misaligned ->
          addKind(answer, "misaligned", records, firstTask(records))
              .field("offset", misaligned.offset())
              .field("alignment", misaligned.alignment());
      case BeyondCapacity beyond ->
          addKind(answer, "beyond_capacity", records, firstTask(records))
              .field("end_byte", beyond.endByte());
      case Overlap overlap ->
          addKind(answer, "overlap", records, overlap.firstTask())
              .field("last_task", overlap.lastTask())
              .field("start_byte", overlap.startByte())
              .field("end_byte", overlap.endByte());
      case NotPermitted pair ->
          addKind(answer, "not_permitted", records, firstTask(records))
              .field("start_byte", pair.startByte())
              .field("end_byte", pair.endByte());
    }
  }

  /** Adds the ids and the indices of the records in the file. Ids need not be unique. */
  private Answer addKind(Answer answer, String kind, List<Integer> records, long task) {
    answer
        .field("kind", kind)
        .field("records", Figure.texts(records.stream().map(i -> id(i)).toList()))
        .field("indices", Figure.longs(records.stream()));
    if (!banks.isEmpty()) {
      answer.field("bank", bank(records));
    }
    return answer.field("task", task);
  }

  private String id(int record) {
    return input.labels().get(record).id();
  }

  /** {@return the first task at which all of some records have started} */
  private long firstTask(List<Integer> records) {
    return records.stream()
        .mapToLong(record -> input.problem().records().get(record).firstTask())
        .max()
        .orElseThrow();
  }
}
