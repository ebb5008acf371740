package dev.stowage.onnx.engine;

import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.memory.device.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The arena of a plan, in which the range of each record is poisoned before its first task and
 * after its last: what reads memory that is not its own, not yet, or no longer, computes with
 * values that are no numbers.
 */
final class PoisonedArena implements AutoCloseable {

  /** Of floating point numbers of all widths, no number; of indices, -1. */
  private static final byte POISON = (byte) 0xff;

  private final List<TensorUsageRecord> records;
  private final OffsetsAssignment plan;
  private final HostMemory memory = HostMemory.open();
  private final MemorySegment arena;

  /** The records whose first task has come. */
  private final BitSet begun = new BitSet();

  /**
   * An arena, all poison.
   *
   * @param source the file, in messages
   * @throws MalformedFileException if the machine has not as much memory left
   */
  PoisonedArena(String source, List<TensorUsageRecord> records, OffsetsAssignment plan)
      throws MalformedFileException {
    this.records = records;
    this.plan = plan;
    OptionalLong address = memory.allocate(regionBytes());
    if (address.isEmpty()) {
      long availableBytes = memory.availableBytes();
      memory.close();
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "needs an arena of %d bytes, expected at most the %d bytes that this machine has left",
              plan.totalBytes(),
              availableBytes));
    }
    arena = memory.segment(address.getAsLong(), plan.totalBytes());
    arena.fill(POISON);
  }

  /** {@return the bytes of whole pages, which are aligned to more than any plan asks for} */
  private long regionBytes() {
    long granularity = memory.granularityBytes();
    return Math.max(1, Math.ceilDiv(plan.totalBytes(), granularity)) * granularity;
  }

  /** {@return the range of a record, poisoned again if its first task is now} */
  MemorySegment startUse(int record) {
    MemorySegment segment = segment(record);
    if (!begun.get(record)) {
      begun.set(record);
      segment.fill(POISON); // no other record can still lie there unnoticed
    }
    return segment;
  }

  /** Poisons the range of a record whose last task is done. */
  void endUse(int record) {
    segment(record).fill(POISON);
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
