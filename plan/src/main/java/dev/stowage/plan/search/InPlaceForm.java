package dev.stowage.plan.search;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.check.AssignmentChecker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** A problem without records in place that has the plans of another problem, for some choices. */
final class InPlaceForm {

  /*
   * Each chain of merged pairs is one record, with the bytes of the first record of the chain. Each
   * other record has at most as many bytes, so that it needs a window of these bytes after its first
   * task. The constraints of all records of the chain hold for the offset.
   *
   * A record in place of another by an open pair needs no memory at their common task. The form
   * then has all plans of the problem. It also has other plans, with the record neither at the
   * offset of its source nor beside it. A record that is live only at that task is left out. It has
   * the offset of its source, unless it is pinned.
   */

  private static final int NONE = -1;

  private final PlanProblem original;
  private final InPlaceChoices choices;
  private final PlanProblem form;

  /** The record of the form for each record of the original problem, or {@link #NONE}. */
  private final int[] formRecords;

  private InPlaceForm(
      PlanProblem original, InPlaceChoices choices, PlanProblem form, int[] formRecords) {
    this.original = original;
    this.choices = choices;
    this.form = form;
    this.formRecords = formRecords;
  }

  /**
   * {@return the form; empty if pins or alignments contradict the choices}
   *
   * @throws ArithmeticException if alignments of the form are too large for a problem
   */
  static Optional<InPlaceForm> of(PlanProblem original, InPlaceChoices choices) {
    long stackedBytes = stackedBytes(original);
    List<TensorUsageRecord> records = new ArrayList<>();
    int[] formRecords = new int[original.records().size()];
    Arrays.fill(formRecords, NONE);
    for (int i = 0; i < formRecords.length; i++) {
      TensorUsageRecord head = original.records().get(i);
      boolean isOpen = choices.ofRecord(i) == InPlaceChoices.Choice.OPEN;
      boolean isLeftOut = isOpen && head.firstTask() == head.lastTask();
      if (!isLeftOut && choices.ofRecord(i) != InPlaceChoices.Choice.MERGED) {
        List<TensorUsageRecord> chain = new ArrayList<>(1);
        for (int member = i; member != NONE; member = choices.successor(member)) {
          chain.add(original.records().get(member));
          formRecords[member] = records.size();
        }
        Optional<TensorUsageRecord> merged = merged(chain, original.alignment(), stackedBytes);
        if (merged.isEmpty()) {
          return Optional.empty();
        }
        TensorUsageRecord it = merged.get();
        records.add(isOpen ? it.withLifetime(it.firstTask() + 1, it.lastTask()) : it);
      }
    }
    checkBytes(records, original.alignment());
    PlanProblem form = new PlanProblem(records, original.alignment(), Optional.empty());
    InPlaceForm made = new InPlaceForm(original, choices, form, formRecords);
    return made.pinsAreValid() ? Optional.of(made) : Optional.empty();
  }

  /** {@return the size of an arena of all records, one after the other, and above all pins} */
  private static long stackedBytes(PlanProblem problem) {
    long bytes = 0;
    long lastPinnedEnd = 0;
    for (TensorUsageRecord record : problem.records()) {
      bytes += record.bytes() + problem.alignmentOf(record) - 1;
      lastPinnedEnd = Math.max(lastPinnedEnd, record.pinnedOffset().orElse(0) + record.bytes());
    }
    return bytes + lastPinnedEnd;
  }

  /** Throws if the records, one after the other, exceed 2^63 - 1 bytes. */
  private static void checkBytes(List<TensorUsageRecord> records, long alignment) {
    long bytes = 0;
    long lastPinnedEnd = 0;
    for (TensorUsageRecord record : records) {
      long own = Alignment.leastCommonMultiple(alignment, record.alignment());
      bytes = Math.addExact(bytes, Math.addExact(record.bytes(), own - 1));
      lastPinnedEnd = Math.max(lastPinnedEnd, record.pinnedOffset().orElse(0) + record.bytes());
    }
    Math.addExact(bytes, lastPinnedEnd);
  }

  /** {@return the record of a chain; empty if the constraints of its records exclude each other} */
  private static Optional<TensorUsageRecord> merged(
      List<TensorUsageRecord> chain, long alignmentOfAll, long stackedBytes) {
    TensorUsageRecord head = chain.getFirst();
    if (chain.size() == 1) {
      return Optional.of(head);
    }
    List<Gap> gaps = new ArrayList<>(head.gaps());
    chain.stream().skip(1).forEach(record -> addGaps(record, head.bytes(), gaps));
    TensorUsageRecord merged =
        TensorUsageRecord.of(head.bytes(), head.firstTask(), chain.getLast().lastTask())
            .withName(head.name())
            .withGaps(gaps);
    return constrained(merged, chain, alignmentOfAll, stackedBytes);
  }

  /** Adds the gaps of a record that took over bytes, after its first task. */
  private static void addGaps(TensorUsageRecord record, long headBytes, List<Gap> gaps) {
    gaps.addAll(record.gaps());
    if (record.bytes() < headBytes) {
      long before = record.firstTask(); // gap.lastTask() + 1 may overflow
      for (Gap gap : record.gaps()) {
        addWindow(before, gap.firstTask() - 1, record.bytes(), gaps);
        before = gap.lastTask();
      }
      addWindow(before, record.lastTask(), record.bytes(), gaps);
    }
  }

  private static void addWindow(long taskBefore, long lastTask, long bytes, List<Gap> gaps) {
    if (taskBefore < lastTask) {
      gaps.add(new Gap(taskBefore + 1, lastTask, 0, bytes));
    }
  }

  /** {@return a record with the constraints on the common offset; empty if they contradict} */
  private static Optional<TensorUsageRecord> constrained(
      TensorUsageRecord merged,
      List<TensorUsageRecord> chain,
      long alignmentOfAll,
      long stackedBytes) {
    OptionalLong pin = OptionalLong.empty();
    for (TensorUsageRecord record : chain) {
      if (record.pinnedOffset().isPresent()) {
        if (pin.isPresent() && !pin.equals(record.pinnedOffset())) {
          return Optional.empty();
        }
        pin = record.pinnedOffset();
      }
    }
    OptionalLong alignment = commonAlignment(chain, alignmentOfAll, stackedBytes);
    if (alignment.isEmpty()) {
      // No offset within the stacked records is a common multiple, except 0.
      return pin.orElse(0) == 0 ? Optional.of(merged.pinnedAt(0)) : Optional.empty();
    }
    if (pin.isPresent() && pin.getAsLong() % alignment.getAsLong() != 0) {
      return Optional.empty();
    }
    TensorUsageRecord aligned = merged.withAlignment(alignment.getAsLong());
    TensorUsageRecord placed = pin.isPresent() ? aligned.pinnedAt(pin.getAsLong()) : aligned;
    OptionalLong hint =
        chain.stream()
            .flatMapToLong(record -> record.hint().stream())
            .filter(offset -> offset >= 0 && offset % alignment.getAsLong() == 0)
            .findFirst();
    return Optional.of(hint.isPresent() ? placed.withHint(hint.getAsLong()) : placed);
  }

  /** {@return the common multiple of the alignments; empty if it is above {@code stackedBytes}} */
  private static OptionalLong commonAlignment(
      List<TensorUsageRecord> chain, long alignmentOfAll, long stackedBytes) {
    try {
      long own = 1;
      for (TensorUsageRecord record : chain) {
        own = Alignment.leastCommonMultiple(own, record.alignment());
      }
      long ofAll = Alignment.leastCommonMultiple(own, alignmentOfAll);
      return ofAll <= stackedBytes ? OptionalLong.of(own) : OptionalLong.empty();
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * {@return false if a record that is not pinned itself, but merged with a pinned one, overlaps a
   * pinned record}
   *
   * <p>Two pinned records may overlap in the form, but not in the original problem.
   */
  private boolean pinsAreValid() {
    if (!form.hasPins()) {
      return true;
    }
    List<Integer> placed =
        IntStream.range(0, formRecords.length).filter(i -> pin(i).isPresent()).boxed().toList();
    PlanProblem subset = original.subset(placed);
    long[] offsets = placed.stream().mapToLong(i -> pin(i).orElseThrow()).toArray();
    return AssignmentChecker.violation(subset, OffsetsAssignment.inSmallestArena(subset, offsets))
        .isEmpty();
  }

  /** {@return the only offset that a record of the original problem may have, if it is known} */
  private OptionalLong pin(int i) {
    return formRecords[i] == NONE
        ? original.records().get(i).pinnedOffset()
        : form.records().get(formRecords[i]).pinnedOffset();
  }

  /** {@return the problem without records in place} */
  PlanProblem problem() {
    return form;
  }

  /** {@return a plan of the form as a plan of the original problem, which may not be valid} */
  OffsetsAssignment toOriginal(OffsetsAssignment plan) {
    long[] offsets = new long[formRecords.length];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] =
          formRecords[i] == NONE
              ? original.records().get(i).pinnedOffset().orElse(offsetOfSource(i, plan))
              : plan.offset(formRecords[i]);
    }
    return OffsetsAssignment.inSmallestArena(original, offsets);
  }

  /** {@return the offset of the first source that has one, of a record that is left out} */
  private long offsetOfSource(int record, OffsetsAssignment plan) {
    int source = choices.source(record);
    while (formRecords[source] == NONE) {
      OptionalLong pin = original.records().get(source).pinnedOffset();
      if (pin.isPresent()) {
        return pin.getAsLong();
      }
      source = choices.source(source);
    }
    return plan.offset(formRecords[source]);
  }

  /** {@return a plan of the original problem as a plan of the form; empty if it is none} */
  Optional<OffsetsAssignment> toForm(OffsetsAssignment plan) {
    long[] offsets = new long[form.records().size()];
    Arrays.fill(offsets, NONE);
    for (int i = 0; i < formRecords.length; i++) {
      if (formRecords[i] != NONE) {
        if (offsets[formRecords[i]] == NONE) {
          offsets[formRecords[i]] = plan.offset(i);
        } else if (offsets[formRecords[i]] != plan.offset(i)) {
          return Optional.empty();
        }
      }
    }
    OffsetsAssignment made = OffsetsAssignment.inSmallestArena(form, offsets);
    return AssignmentChecker.violation(form, made).isEmpty() ? Optional.of(made) : Optional.empty();
  }
}
