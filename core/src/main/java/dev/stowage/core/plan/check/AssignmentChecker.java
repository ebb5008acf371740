package dev.stowage.core.plan.check;

import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReallocationGraph;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.TextureExtent;
import dev.stowage.core.plan.TextureObjectsAssignment;
import dev.stowage.core.plan.TextureUsageRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Says whether an assignment is valid, whoever made it.
 *
 * <p>Shares no code with the strategies. A check costs O(n log n), but for pinned records that lie
 * on each other, which are looked at one by one; and with a {@link ReallocationGraph}, or a graph
 * and pinned records, the number of pairs that share bytes or an object. {@link PlanViolations}
 * lists everything that is wrong with a plan.
 */
public final class AssignmentChecker {

  /*
   * Valid means, for offsets:
   *
   *   V1  there is an offset for every record, none negative, each a multiple of its alignments;
   *   V2  a pinned record is where it is pinned;
   *   V3  every record ends within the arena;
   *   V4  no two records, of which at least one may be moved, need one byte at one task;
   *
   * and for objects:
   *
   *   V5  there is an object for every record, at least as large as it in every dimension;
   *   V6  no two records of one object are live at one task;
   *
   * and for both, if the problem has a graph:
   *
   *   V7  two records, of which at least one may be moved, share a byte or an object only if the graph
   *       permits it and their lifetimes, gaps included, have no task in common.
   */

  private AssignmentChecker() {}

  /**
   * {@return what is wrong with an offsets assignment, if anything}
   *
   * <p>Two records that are both pinned may lie on each other: that is their problem's word.
   *
   * @param problem what was to be planned
   * @param assignment the plan
   */
  public static Optional<Violation> violation(PlanProblem problem, OffsetsAssignment assignment) {
    List<TensorUsageRecord> records = problem.records();
    if (assignment.recordCount() != records.size()) {
      return Optional.of(
          Violation.of(
              Violation.Kind.RECORD_COUNT,
              String.format(
                  Locale.ROOT,
                  "V1 %d offsets for %d records",
                  assignment.recordCount(),
                  records.size())));
    }
    for (int i = 0; i < records.size(); i++) {
      Optional<Violation> misplaced =
          misplacement(i, records.get(i), problem.alignment(), assignment);
      if (misplaced.isPresent()) {
        return misplaced;
      }
    }
    return OverlapSweep.ofPlan(records, assignment)
        .map(overlap ->
            Violation.atTask(
                Violation.Kind.OVERLAP,
                overlap.task(),
                String.format(
                    Locale.ROOT,
                    "V4 records %d and %d share bytes at task %d",
                    overlap.first(),
                    overlap.second(),
                    overlap.task()),
                overlap.first(),
                overlap.second()))
        .or(() -> SharingCheck.ofPlan(problem, assignment));
  }

  /**
   * {@return two pinned records that lie on each other, as a sentence, if there are such: at one
   * task, or in some order that the graph allows}
   *
   * @param problem what is to be planned
   */
  public static Optional<Violation> pinnedOverlap(PlanProblem problem) {
    List<TensorUsageRecord> pinned =
        problem.withoutUnusedGaps().records().stream()
            .filter(r -> r.pinnedOffset().isPresent())
            .toList();
    int[] indices =
        IntStream.range(0, problem.records().size())
            .filter(i -> problem.records().get(i).pinnedOffset().isPresent())
            .toArray();
    long[] offsets =
        pinned.stream().mapToLong(record -> record.pinnedOffset().orElseThrow()).toArray();
    return OverlapSweep.ofAll(pinned, OffsetsAssignment.of(offsets, Long.MAX_VALUE))
        .map(overlap ->
            Violation.atTask(
                Violation.Kind.OVERLAP,
                overlap.task(),
                String.format(
                    Locale.ROOT,
                    "records %d and %d are pinned onto each other at task %d",
                    indices[overlap.first()],
                    indices[overlap.second()],
                    overlap.task()),
                indices[overlap.first()],
                indices[overlap.second()]))
        .or(() -> SharingCheck.ofPins(problem));
  }

  /**
   * {@return what is wrong with an objects assignment, if anything}
   *
   * @param problem what was to be planned
   * @param assignment the plan
   */
  public static Optional<Violation> violation(PlanProblem problem, ObjectsAssignment assignment) {
    List<TensorUsageRecord> records = problem.records();
    if (assignment.recordCount() != records.size()) {
      return Optional.of(
          Violation.of(
              Violation.Kind.RECORD_COUNT,
              String.format(
                  Locale.ROOT,
                  "V5 %d objects for %d records",
                  assignment.recordCount(),
                  records.size())));
    }
    List<Use> uses = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      int object = assignment.objectId(i);
      if (records.get(i).bytes() > assignment.objectBytes(object)) {
        return Optional.of(
            Violation.of(
                Violation.Kind.OBJECT_TOO_SMALL,
                String.format(
                    Locale.ROOT,
                    "V5 record %d of %d bytes is in object %d of %d bytes",
                    i,
                    records.get(i).bytes(),
                    object,
                    assignment.objectBytes(object)),
                i));
      }
      uses.add(new Use(i, object, records.get(i).firstTask(), records.get(i).lastTask()));
    }
    return sharedObject(uses).or(() -> SharingCheck.ofPlan(problem, assignment));
  }

  /**
   * {@return what is wrong with an assignment to textures, if anything}
   *
   * @param records what was to be planned
   * @param assignment the plan
   */
  public static Optional<Violation> violation(
      List<TextureUsageRecord> records, TextureObjectsAssignment assignment) {
    if (assignment.objectIds().size() != records.size()) {
      return Optional.of(
          Violation.of(
              Violation.Kind.RECORD_COUNT,
              String.format(
                  Locale.ROOT,
                  "V5 %d textures for %d records",
                  assignment.objectIds().size(),
                  records.size())));
    }
    List<Use> uses = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      int object = assignment.objectIds().get(i);
      TextureExtent held = records.get(i).extent();
      TextureExtent holding = assignment.objectExtents().get(object);
      if (held.width() > holding.width()
          || held.height() > holding.height()
          || held.depth().orElse(0) > holding.depth().orElse(0)) {
        return Optional.of(
            Violation.of(
                Violation.Kind.OBJECT_TOO_SMALL,
                String.format(
                    Locale.ROOT,
                    "V5 record %d of %s is in texture %d of %s",
                    i,
                    held,
                    object,
                    holding),
                i));
      }
      uses.add(new Use(i, object, records.get(i).firstTask(), records.get(i).lastTask()));
    }
    return sharedObject(uses);
  }

  private static Optional<Violation> misplacement(
      int index, TensorUsageRecord record, long alignment, OffsetsAssignment assignment) {
    long offset = assignment.offset(index);
    if (offset < 0 || offset % record.alignment() != 0 || offset % alignment != 0) {
      return Optional.of(
          Violation.of(
              Violation.Kind.MISALIGNED,
              String.format(
                  Locale.ROOT,
                  "V1 record %d has offset %d, which is no multiple of its alignments %d and %d",
                  index,
                  offset,
                  record.alignment(),
                  alignment),
              index));
    }
    if (record.pinnedOffset().isPresent() && record.pinnedOffset().getAsLong() != offset) {
      return Optional.of(
          Violation.of(
              Violation.Kind.NOT_AT_PIN,
              String.format(
                  Locale.ROOT,
                  "V2 record %d is at %d but pinned to %d",
                  index,
                  offset,
                  record.pinnedOffset().getAsLong()),
              index));
    }
    if (offset > assignment.totalBytes() || record.bytes() > assignment.totalBytes() - offset) {
      return Optional.of(
          Violation.of(
              Violation.Kind.BEYOND_ARENA,
              String.format(
                  Locale.ROOT,
                  "V3 record %d of %d bytes at offset %d leaves the arena of %d bytes",
                  index,
                  record.bytes(),
                  offset,
                  assignment.totalBytes()),
              index));
    }
    return Optional.empty();
  }

  private record Use(int record, int object, long firstTask, long lastTask) {}

  private static Optional<Violation> sharedObject(List<Use> uses) {
    uses.sort(Comparator.comparingInt(Use::object).thenComparingLong(Use::firstTask));
    for (int k = 1; k < uses.size(); k++) {
      Use before = uses.get(k - 1);
      Use after = uses.get(k);
      if (before.object == after.object && after.firstTask <= before.lastTask) {
        return Optional.of(
            Violation.atTask(
                Violation.Kind.OBJECT_IN_USE,
                after.firstTask,
                String.format(
                    Locale.ROOT,
                    "V6 records %d and %d are in object %d at task %d",
                    before.record,
                    after.record,
                    after.object,
                    after.firstTask),
                before.record,
                after.record));
      }
    }
    return Optional.empty();
  }
}
