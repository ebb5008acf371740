package dev.stowage.onnx.engine;

import dev.stowage.memory.device.HostMemory;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The arena of a plan. The range of each record is filled with NaN before its first task and after
 * its last. An operator that reads memory of another record therefore computes a different result.
 * Bytes that a record takes over from another keep their content.
 */
final class PoisonedArena implements AutoCloseable {

  /** NaN in all floating-point formats, and -1 as an index. */
  private static final byte POISON = (byte) 0xff;

  private final List<TensorUsageRecord> records;
  private final OffsetsAssignment plan;
  private final HostMemory memory = HostMemory.open();
  private final MemorySegment arena;

  /** The records that take over bytes. */
  private final BitSet inPlace = new BitSet();

  /** The records that take over bytes, by the sources of these bytes. */
  private final Map<Integer, Integer> takers = new HashMap<>();

  /** The records that have been used. */
  private final BitSet used = new BitSet();

  /**
   * Creates an arena filled with NaN.
   *
   * @param source the name of the file in messages
   * @throws MalformedFileException if the machine has too little free memory
   */
  PoisonedArena(String source, PlanProblem problem, OffsetsAssignment plan)
      throws MalformedFileException {
    this.records = problem.records();
    this.plan = plan;
    for (InPlace pair : problem.usableInPlace()) {
      if (plan.offset(pair.record()) == plan.offset(pair.source())) {
        takers.put(pair.source(), pair.record());
        inPlace.set(pair.record());
      }
    }
    OptionalLong address = memory.allocate(regionBytes());
    if (address.isEmpty()) {
      long availableBytes = memory.availableBytes();
      memory.close();
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "needs an arena of %d bytes, expected at most %d bytes, the free memory of this machine",
              plan.totalBytes(),
              availableBytes));
    }
    arena = memory.segment(address.getAsLong(), plan.totalBytes());
    arena.fill(POISON);
  }

  /** {@return the bytes of the pages of the arena} */
  private long regionBytes() {
    long granularity = memory.granularityBytes();
    return Math.max(1, Math.ceilDiv(plan.totalBytes(), granularity)) * granularity;
  }

  /**
   * {@return the range of a record, filled with NaN at the first use, unless it takes over the
   * bytes of another record}
   */
  MemorySegment startUse(int record) {
    MemorySegment segment = segment(record);
    if (!used.get(record)) {
      used.set(record);
      if (!inPlace.get(record)) {
        segment.fill(POISON); // damages a record still in use here
      }
    }
    return segment;
  }

  /** Fills the range of a record with NaN after its last task, except for bytes taken over. */
  void endUse(int record) {
    Integer taker = takers.get(record);
    long keptBytes = taker == null ? 0 : records.get(taker).bytes();
    segment(record).asSlice(keptBytes).fill(POISON);
  }

  private MemorySegment segment(int record) {
    return arena.asSlice(plan.offset(record), records.get(record).bytes());
  }

  @Override
  public void close() {
    memory.free(arena.address(), regionBytes());
    memory.close();
  }
}
