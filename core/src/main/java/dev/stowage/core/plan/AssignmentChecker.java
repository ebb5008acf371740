package dev.stowage.core.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Says whether an assignment is valid, whoever made it.
 *
 * <p>Shares no code with the strategies. A check costs O(n log n).
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
   *   V6  no two records of one object are live at one task.
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
  public static Optional<String> violation(PlanProblem problem, OffsetsAssignment assignment) {
    List<TensorUsageRecord> records = problem.records();
    if (assignment.recordCount() != records.size()) {
      return Optional.of(
          "V1 %d offsets for %d records".formatted(assignment.recordCount(), records.size()));
    }
    for (int i = 0; i < records.size(); i++) {
      Optional<String> misplaced = misplacement(i, records.get(i), problem.alignment(), assignment);
      if (misplaced.isPresent()) {
        return misplaced;
      }
    }
    return firstOverlap(records, assignment, false)
        .map(
            overlap -> "V4 records %d and %d share bytes at task %d".formatted((Object[]) overlap));
  }

  /**
   * {@return two pinned records that lie on each other, as a sentence, if there are such}
   *
   * @param problem what is to be planned
   */
  public static Optional<String> pinnedOverlap(PlanProblem problem) {
    List<TensorUsageRecord> pinned =
        problem.records().stream().filter(r -> r.pinnedOffset().isPresent()).toList();
    int[] indices =
        IntStream.range(0, problem.records().size())
            .filter(i -> problem.records().get(i).pinnedOffset().isPresent())
            .toArray();
    long[] offsets =
        pinned.stream().mapToLong(record -> record.pinnedOffset().orElseThrow()).toArray();
    return firstOverlap(pinned, OffsetsAssignment.of(offsets, Long.MAX_VALUE), true)
        .map(overlap ->
            "records %d and %d are pinned onto each other at task %d"
                .formatted(
                    indices[overlap[0].intValue()], indices[overlap[1].intValue()], overlap[2]));
  }

  /**
   * {@return what is wrong with an objects assignment, if anything}
   *
   * @param problem what was to be planned
   * @param assignment the plan
   */
  public static Optional<String> violation(PlanProblem problem, ObjectsAssignment assignment) {
    List<TensorUsageRecord> records = problem.records();
    if (assignment.recordCount() != records.size()) {
      return Optional.of(
          "V5 %d objects for %d records".formatted(assignment.recordCount(), records.size()));
    }
    List<Use> uses = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      int object = assignment.objectId(i);
      if (records.get(i).bytes() > assignment.objectBytes(object)) {
        return Optional.of(
            "V5 record %d of %d bytes is in object %d of %d bytes"
                .formatted(i, records.get(i).bytes(), object, assignment.objectBytes(object)));
      }
      uses.add(new Use(i, object, records.get(i).firstTask(), records.get(i).lastTask()));
    }
    return sharedObject(uses);
  }

  /**
   * {@return what is wrong with an assignment to textures, if anything}
   *
   * @param records what was to be planned
   * @param assignment the plan
   */
  public static Optional<String> violation(
      List<TextureUsageRecord> records, TextureObjectsAssignment assignment) {
    if (assignment.objectIds().size() != records.size()) {
      return Optional.of(
          "V5 %d textures for %d records".formatted(assignment.objectIds().size(), records.size()));
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
            "V5 record %d of %s is in texture %d of %s".formatted(i, held, object, holding));
      }
      uses.add(new Use(i, object, records.get(i).firstTask(), records.get(i).lastTask()));
    }
    return sharedObject(uses);
  }

  private static Optional<String> misplacement(
      int index, TensorUsageRecord record, long alignment, OffsetsAssignment assignment) {
    long offset = assignment.offset(index);
    if (offset < 0 || offset % record.alignment() != 0 || offset % alignment != 0) {
      return Optional.of(
          "V1 record %d has offset %d, which is no multiple of its alignments %d and %d"
              .formatted(index, offset, record.alignment(), alignment));
    }
    if (record.pinnedOffset().isPresent() && record.pinnedOffset().getAsLong() != offset) {
      return Optional.of(
          "V2 record %d is at %d but pinned to %d"
              .formatted(index, offset, record.pinnedOffset().getAsLong()));
    }
    if (offset > assignment.totalBytes() || record.bytes() > assignment.totalBytes() - offset) {
      return Optional.of(
          "V3 record %d of %d bytes at offset %d leaves the arena of %d bytes"
              .formatted(index, record.bytes(), offset, assignment.totalBytes()));
    }
    return Optional.empty();
  }

  private record Use(int record, int object, long firstTask, long lastTask) {}

  private static Optional<String> sharedObject(List<Use> uses) {
    uses.sort(Comparator.comparingInt(Use::object).thenComparingLong(Use::firstTask));
    for (int k = 1; k < uses.size(); k++) {
      Use before = uses.get(k - 1);
      Use after = uses.get(k);
      if (before.object == after.object && after.firstTask <= before.lastTask) {
        return Optional.of(
            "V6 records %d and %d are in object %d at task %d"
                .formatted(before.record, after.record, after.object, after.firstTask));
      }
    }
    return Optional.empty();
  }

  /** Bytes of the arena that a record takes from one task to another. */
  private record Block(int record, boolean pinned, long from, long to, long start, long end) {}

  /**
   * {@return two records and a task at which they need one byte; both pinned, or at least one not}
   *
   * <p>Walks the tasks with the live blocks sorted by address. Before the first overlap of two
   * movable blocks these are disjoint, so that a block that comes overlaps a neighbour or nothing.
   * Pinned blocks may overlap, and are therefore looked at behind each other, as far as they reach.
   */
  private static Optional<Long[]> firstOverlap(
      List<TensorUsageRecord> records, OffsetsAssignment assignment, boolean bothPinned) {
    List<Block> blocks = blocks(records, assignment);
    List<Block> byEnd = new ArrayList<>(blocks);
    byEnd.sort(Comparator.comparingLong(Block::to));
    blocks.sort(Comparator.comparingLong(Block::from));
    LiveBlocks movable = new LiveBlocks();
    LiveBlocks pinned = new LiveBlocks();
    int ended = 0;
    for (Block block : blocks) {
      for (; byEnd.get(ended).to < block.from; ended++) {
        Block gone = byEnd.get(ended);
        (gone.pinned ? pinned : movable).remove(gone);
      }
      Optional<Block> other = Optional.empty();
      if (bothPinned || !block.pinned) {
        other = pinned.overlapping(block);
      }
      if (other.isEmpty() && !bothPinned) {
        other = movable.overlapping(block);
      }
      if (other.isPresent()) {
        return Optional.of(new Long[] {(long) other.get().record, (long) block.record, block.from});
      }
      (block.pinned ? pinned : movable).add(block);
    }
    return Optional.empty();
  }

  private static List<Block> blocks(List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    List<Block> blocks = new ArrayList<>(records.size());
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      long offset = assignment.offset(i);
      long end = offset + record.bytes();
      long before = record.firstTask() - 1; // what is after a gap may be after all tasks
      for (Gap gap : record.gaps()) {
        if (before < gap.firstTask() - 1) {
          addBlock(blocks, i, record, before + 1, gap.firstTask() - 1, offset, end);
        }
        addBlock(
            blocks,
            i,
            record,
            gap.firstTask(),
            gap.lastTask(),
            offset + gap.windowStart(),
            offset + gap.windowEnd());
        before = gap.lastTask();
      }
      if (before < record.lastTask()) {
        addBlock(blocks, i, record, before + 1, record.lastTask(), offset, end);
      }
    }
    return blocks;
  }

  private static void addBlock(
      List<Block> blocks,
      int index,
      TensorUsageRecord record,
      long from,
      long to,
      long start,
      long end) {
    if (start < end) {
      blocks.add(new Block(index, record.pinnedOffset().isPresent(), from, to, start, end));
    }
  }

  /** Live blocks by address. */
  private static final class LiveBlocks {

    private final TreeMap<Long, List<Block>> byStart = new TreeMap<>();

    /** No block was larger than this. */
    private long largestBytes;

    private boolean disjoint = true;

    void add(Block block) {
      disjoint = disjoint && overlapping(block).isEmpty();
      byStart.computeIfAbsent(block.start, start -> new ArrayList<>(1)).add(block);
      largestBytes = Math.max(largestBytes, block.end - block.start);
    }

    void remove(Block block) {
      List<Block> same = byStart.get(block.start);
      if (same != null && same.remove(block) && same.isEmpty()) {
        byStart.remove(block.start);
      }
    }

    /** O(log n) while blocks are disjoint; of overlapping ones all within reach are looked at. */
    Optional<Block> overlapping(Block block) {
      Map.Entry<Long, List<Block>> below = byStart.lowerEntry(block.end);
      while (below != null && below.getKey() > block.start - largestBytes) {
        for (Block other : below.getValue()) {
          if (other.end > block.start) {
            return Optional.of(other);
          }
        }
        if (disjoint) {
          return Optional.empty();
        }
        below = byStart.lowerEntry(below.getKey());
      }
      return Optional.empty();
    }
  }
}
