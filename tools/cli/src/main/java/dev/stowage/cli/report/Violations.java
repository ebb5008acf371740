package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.violations.PlanViolation;
import dev.stowage.plan.violations.PlanViolation.BeyondCapacity;
import dev.stowage.plan.violations.PlanViolation.Misaligned;
import dev.stowage.plan.violations.PlanViolation.NotPermitted;
import dev.stowage.plan.violations.PlanViolation.Overlap;
import dev.stowage.plan.violations.PlanViolations;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The violations of a checked plan: lines for people, an array for programs. */
final class Violations {

  /** The number of lines of each kind; programs get more. */
  private static final int MAX_LINES = 100;

  private static final List<Class<? extends PlanViolation>> KINDS =
      List.of(Overlap.class, Misaligned.class, BeyondCapacity.class, NotPermitted.class);

  private final PlanInput.Tensors input;
  private final PlanViolations violations;

  /**
   * A violation.
   *
   * @param rule the broken rule, in words
   * @param task the first task of an overlap; otherwise the first one at which all records have
   *     started
   * @param figures adds its other figures for programs
   */
  private record Described(
      String kind, List<Integer> records, String rule, long task, Consumer<Answer> figures) {}

  Violations(CheckReport report) {
    input = report.input();
    violations = report.violations();
  }

  /**
   * {@return a sentence: whether the plan is valid, and the violations of each kind}
   *
   * @param arena the memory that the plan describes, such as {@code an arena of 64 bytes}
   */
  String verdict(String arena) {
    String contents =
        Text.of("%s with %s", arena, Labels.counts(input.file(), input.labels().size(), "tensor"));
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
        .groups(
            "violations",
            violations.listed(),
            (violation, group) -> addFigures(describe(violation), group));
    List<PlanViolation> shown =
        KINDS.stream()
            .flatMap(kind -> violations.listed().stream().filter(kind::isInstance).limit(MAX_LINES))
            .toList();
    if (!shown.isEmpty()) {
      answer.line("%nVIOLATIONS");
      shown.forEach(violation -> answer.line("  %s", sentence(describe(violation))));
    }
    if (violations.count() > shown.size()) {
      answer.line("  and %s more", Numbers.grouped(violations.count() - shown.size()));
    }
    return answer;
  }

  private Described describe(PlanViolation violation) {
    return switch (violation) {
      case Overlap it ->
          new Described(
              "overlap",
              List.of(it.first(), it.second()),
              Text.of("overlap at %s in %s", tasks(it), bytes(it.startByte(), it.endByte())),
              it.firstTask(),
              group ->
                  group
                      .field("last_task", it.lastTask())
                      .field("start_byte", it.startByte())
                      .field("end_byte", it.endByte()));
      case Misaligned it ->
          new Described(
              "misaligned",
              List.of(it.record()),
              Text.of("offset %,d is not a multiple of %,d", it.offset(), it.alignment()),
              firstTask(it.record()),
              group -> group.field("offset", it.offset()).field("alignment", it.alignment()));
      case BeyondCapacity it ->
          new Described(
              "beyond_capacity",
              List.of(it.record()),
              Text.of(
                  "ends at byte %,d, %,d beyond the capacity",
                  it.endByte(), it.endByte() - it.capacityBytes()),
              firstTask(it.record()),
              group -> group.field("end_byte", it.endByte()));
      case NotPermitted it ->
          new Described(
              "not_permitted",
              List.of(it.first(), it.second()),
              "the graph does not permit common " + bytes(it.startByte(), it.endByte()),
              Math.max(firstTask(it.first()), firstTask(it.second())),
              group -> group.field("start_byte", it.startByte()).field("end_byte", it.endByte()));
    };
  }

  private long firstTask(int record) {
    return input.problem().records().get(record).firstTask();
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

  private String sentence(Described violation) {
    return violation.records.stream().map(this::name).collect(Collectors.joining(" and "))
        + ": "
        + violation.rule;
  }

  private String name(int record) {
    RecordLabel label = input.labels().get(record);
    String id = Printable.of(label.id());
    return label.name().equals(label.id()) ? id : Printable.of(label.name()) + " (" + id + ")";
  }

  /** Adds the ids and the indices of the records in the file. Ids need not be unique. */
  private void addFigures(Described violation, Answer answer) {
    violation.figures.accept(
        answer
            .field("kind", violation.kind)
            .field(
                "records",
                Figure.texts(
                    violation.records.stream().map(i -> input.labels().get(i).id()).toList()))
            .field("indices", Figure.longs(violation.records.stream()))
            .field("task", violation.task));
  }
}
