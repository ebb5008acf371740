package dev.stowage.budget;

import dev.stowage.plan.shapes.DimensionValues;

/**
 * The measured memory of one run in a session that allocates from Stowage's allocator.
 *
 * @param shape the sizes of the model's open dimensions in the run
 * @param allocatorBytes the most bytes that the run had in the allocator at one time
 */
public record RunSample(DimensionValues shape, long allocatorBytes) {

  /**
   * Creates a sample.
   *
   * @throws IllegalArgumentException if {@code allocatorBytes < 0}
   */
  public RunSample {
    if (allocatorBytes < 0) {
      throw new IllegalArgumentException(
          "the bytes of a run must not be negative: allocatorBytes=" + allocatorBytes);
    }
  }
}
