package dev.stowage.litert.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Tensors in one arena. The range of each tensor is filled with a pattern before its first operator
 * and after its last. An operator that reads memory of another tensor therefore computes a
 * different result.
 */
final class PoisonedTensors implements OperatorEvents.Listener {

  /** The alignment of the arena; that of offsets is up to the plan. */
  private static final long ALIGNMENT_BYTES = 64;

  private final List<PlacedTensor> tensors;
  private final byte pattern;
  private final MemorySegment memory;

  /**
   * Creates an arena filled with the pattern.
   *
   * @param arenaBytes its size
   * @param arena its lifetime
   */
  PoisonedTensors(List<PlacedTensor> tensors, long arenaBytes, byte pattern, Arena arena) {
    this.tensors = tensors;
    this.pattern = pattern;
    memory = arena.allocate(Math.max(1, arenaBytes), ALIGNMENT_BYTES);
    memory.fill(pattern);
  }

  List<PlacedTensor> tensors() {
    return tensors;
  }

  /** {@return the range of a tensor} */
  MemorySegment segment(PlacedTensor tensor) {
    return memory.asSlice(tensor.offset(), tensor.bytes());
  }

  @Override
  public void started(int operator) {
    for (PlacedTensor tensor : tensors) {
      if (tensor.firstFill() == operator) {
        segment(tensor).fill(pattern); // detects another tensor that is still in use here
      }
    }
  }

  @Override
  public void ended(int operator) {
    for (PlacedTensor tensor : tensors) {
      if (tensor.lastFill() == operator) {
        segment(tensor).asSlice(tensor.keptBytes()).fill(pattern);
      }
    }
  }
}
