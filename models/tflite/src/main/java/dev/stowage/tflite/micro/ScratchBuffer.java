package dev.stowage.tflite.micro;

/**
 * A buffer that an operator needs while it runs.
 *
 * @param subgraph the index of the subgraph
 * @param operator the index of the operator in the subgraph
 * @param bytes the size; TensorFlow Lite Micro rounds it up to a multiple of {@link
 *     MicroArena#ALIGNMENT_BYTES}
 */
public record ScratchBuffer(int subgraph, int operator, long bytes) {

  /**
   * Creates a buffer.
   *
   * @throws IllegalArgumentException if an index is negative, or {@code bytes} is not 0 to 2^31 - 1
   */
  public ScratchBuffer {
    if (subgraph < 0 || operator < 0) {
      throw new IllegalArgumentException(
          "subgraph and operator must not be negative: subgraph="
              + subgraph
              + ", operator="
              + operator);
    }
    if (bytes < 0 || bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("bytes must be 0 to 2147483647: bytes=" + bytes);
    }
  }
}
