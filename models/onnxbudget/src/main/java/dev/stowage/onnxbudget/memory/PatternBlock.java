package dev.stowage.onnxbudget.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * The block in which ONNX Runtime places the tensors of a run, from the second run with the same
 * shapes on: its memory pattern.
 *
 * <p>A tensor gets the smallest gap between the tensors in the block that is large enough, else the
 * end of the block. Takes O(tensors in the block) for each tensor.
 */
final class PatternBlock {

  /** The rounding of sizes. */
  private static final long ALIGNMENT_BYTES = 256;

  private record Place(int id, long offset, long bytes) {

    long end() {
      return offset + bytes;
    }
  }

  /** The tensors in the block, by ascending offsets. */
  private final List<Place> places = new ArrayList<>();

  private long bytes;

  /** Creates an empty block. */
  PatternBlock() {}

  /** Places a tensor. */
  void add(int id, long tensorBytes) {
    long rounded = Math.ceilDiv(tensorBytes, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    if (rounded == 0) {
      return;
    }
    // A tensor that fits nowhere is placed after the last one and makes the block larger.
    int best = places.size();
    long offset = places.isEmpty() ? 0 : places.getLast().end();
    long leastRest = Long.MAX_VALUE;
    long start = 0;
    for (int i = 0; i <= places.size(); i++) {
      long end = i < places.size() ? places.get(i).offset() : bytes;
      long rest = end - start - rounded;
      if (rest >= 0 && rest < leastRest) {
        best = i;
        offset = start;
        leastRest = rest;
      }
      start = i < places.size() ? places.get(i).end() : end;
    }
    places.add(best, new Place(id, offset, rounded));
    bytes = Math.max(bytes, offset + rounded);
  }

  /** Removes a tensor. */
  void remove(int id) {
    places.removeIf(place -> place.id() == id);
  }

  /** {@return the size of the block} */
  long bytes() {
    return bytes;
  }
}
