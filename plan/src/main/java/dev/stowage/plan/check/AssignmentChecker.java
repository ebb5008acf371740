package dev.stowage.plan.check;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.Violation;
import dev.stowage.plan.text.Message;
import dev.stowage.plan.violations.OverlapSweep;
import dev.stowage.plan.violations.PermittedOverlaps;
import dev.stowage.plan.violations.SharingCheck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An independent check of assignments. It shares no code with the strategies.
 *
 * <p>A check costs O(n log n). With a reallocation graph, or with a graph and pinned records, it
 * also costs O(1) for each pair of records that share bytes or an object.
 */
public final class AssignmentChecker {

  /*
   * An assignment is valid if, for offsets,
   *
   *   V1  every record has an offset, which is not negative and a multiple of its alignments;
   *   V2  every pinned record has its pinned offset;
   *   V3  every record ends within the arena;
   *   V4  no two records need the same byte at the same task, unless both are pinned, or one is in
   *       place of the other: at its offset, with at most as many bytes, at a task without gaps;
   *
   * for objects,
   *
   *   V5  every record has an object that is at least as large in every dimension;
   *   V6  no two records of one object are live at the same task;
   *
   * and for both, if the problem has a graph,
   *
   *   V7  two records share a byte or an object only if the graph permits it and their lifetimes,
   *       including gaps, have no task in common, unless both are pinned.
   */

  private AssignmentChecker() {}

  /**
   * {@return the first violation of an offsets assignment; empty if it is valid}
   *
   * <p>Two pinned records may overlap, since the problem determines both offsets. A record may
   * overlap its source as {@link PlanProblem#withInPlace} describes.
   *
   * @param problem the records
   * @param assignment the plan
   */
  public static Optional<Violation> violation(PlanProblem problem, OffsetsAssignment assignment) {
    List<TensorUsageRecord> records = problem.records();
    if (assignment.recordCount() != records.size()) {
      return Optional.of(
          Violation.of(
              Violation.Kind.RECORD_COUNT,
              Message.of(
                  "V1 %d offsets for %d records", assignment.recordCount(), records.size())));
    }
    for (int i = 0; i < records.size(); i++) {
      Optional<Violation> misplaced =
          misplacement(i, records.get(i), problem.alignment(), assignment);
      if (misplaced.isPresent()) {
        return misplaced;
      }
    }
    PermittedOverlaps permitted = PermittedOverlaps.of(problem, assignment::offset);
    return OverlapSweep.first(
            records,
            assignment,
            (one, other) ->
                permitted.contains(one, other)
                    || (isPinned(records.get(one)) && isPinned(records.get(other))))
        .map(overlap ->
            Violation.atTask(
                Violation.Kind.OVERLAP,
                overlap.task(),
                Message.of(
                    "V4 records %d and %d share bytes at task %d%s",
                    overlap.first(),
                    overlap.second(),
                    overlap.task(),
                    permitted.reason(overlap.first(), overlap.second())),
                overlap.first(),
                overlap.second()))
        .or(() -> SharingCheck.ofPlan(problem, assignment));
  }

  /**
   * {@return two pinned records with a common byte, at the same task or in another order of the
   * graph; empty if there are none}
   *
   * @param problem the records
   */
  public static Optional<Violation> pinnedOverlap(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.withoutUnusedGaps().records();
    int[] indices =
        IntStream.range(0, records.size()).filter(i -> isPinned(records.get(i))).toArray();
    List<TensorUsageRecord> pinned = IntStream.of(indices).mapToObj(records::get).toList();
    long[] offsets =
        pinned.stream().mapToLong(record -> record.pinnedOffset().orElseThrow()).toArray();
    PermittedOverlaps permitted =
        PermittedOverlaps.of(problem, i -> records.get(i).pinnedOffset().orElse(-1L - i));
    return OverlapSweep.first(
            pinned,
            OffsetsAssignment.of(offsets, Long.MAX_VALUE),
            (one, other) -> permitted.contains(indices[one], indices[other]))
        .map(overlap ->
            Violation.atTask(
                Violation.Kind.OVERLAP,
                overlap.task(),
                Message.of(
                    "pinned records %d and %d overlap at task %d",
                    indices[overlap.first()], indices[overlap.second()], overlap.task()),
                indices[overlap.first()],
                indices[overlap.second()]))
        .or(() -> SharingCheck.ofPins(problem));
  }

  private static boolean isPinned(TensorUsageRecord record) {
    return record.pinnedOffset().isPresent();
  }

  /**
   * {@return the first violation of an objects assignment; empty if it is valid}
   *
   * @param problem the records
   * @param assignment the plan
   */
  public static Optional<Violation> violation(PlanProblem problem, ObjectsAssignment assignment) {
    List<TensorUsageRecord> records = problem.records();
    if (assignment.recordCount() != records.size()) {
      return Optional.of(
          Violation.of(
              Violation.Kind.RECORD_COUNT,
              Message.of(
                  "V5 %d objects for %d records", assignment.recordCount(), records.size())));
    }
    List<Use> uses = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      int object = assignment.objectId(i);
      if (records.get(i).bytes() > assignment.objectBytes(object)) {
        return Optional.of(
            Violation.of(
                Violation.Kind.OBJECT_TOO_SMALL,
                Message.of(
                    "V5 record %d of %d bytes is in object %d of %d bytes",
                    i, records.get(i).bytes(), object, assignment.objectBytes(object)),
                i));
      }
      uses.add(new Use(i, object, records.get(i).firstTask(), records.get(i).lastTask()));
    }
    return sharedObject(uses).or(() -> SharingCheck.ofPlan(problem, assignment));
  }

  /** {@return a violation of V1, V2 or V3} */
  private static Optional<Violation> misplacement(
      int index, TensorUsageRecord record, long alignment, OffsetsAssignment assignment) {
    long offset = assignment.offset(index);
    if (offset < 0 || offset % record.alignment() != 0 || offset % alignment != 0) {
      return Optional.of(
          Violation.of(
              Violation.Kind.MISALIGNED,
              Message.of(
                  "V1 record %d has offset %d, expected a non-negative multiple of its alignments %d and %d",
                  index, offset, record.alignment(), alignment),
              index));
    }
    if (record.pinnedOffset().isPresent() && record.pinnedOffset().getAsLong() != offset) {
      return Optional.of(
          Violation.of(
              Violation.Kind.NOT_AT_PIN,
              Message.of(
                  "V2 record %d is at %d but pinned to %d",
                  index, offset, record.pinnedOffset().getAsLong()),
              index));
    }
    if (offset > assignment.totalBytes() || record.bytes() > assignment.totalBytes() - offset) {
      return Optional.of(
          Violation.of(
              Violation.Kind.BEYOND_ARENA,
              Message.of(
                  "V3 record %d of %d bytes at offset %d ends beyond the arena of %d bytes",
                  index, record.bytes(), offset, assignment.totalBytes()),
              index));
    }
    return Optional.empty();
  }

  private record Use(int record, int object, long firstTask, long lastTask) {}

  /** {@return a violation of V6} */
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
                Message.of(
                    "V6 records %d and %d are both in object %d at task %d",
                    before.record, after.record, after.object, after.firstTask),
                before.record,
                after.record));
      }
    }
    return Optional.empty();
  }
}
