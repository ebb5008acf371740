package dev.stowage.examples.training;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Host memory as floats.
 *
 * @param segment the memory
 */
record Floats(MemorySegment segment) {

  float get(long index) {
    return segment.getAtIndex(ValueLayout.JAVA_FLOAT, index);
  }

  void set(long index, float value) {
    segment.setAtIndex(ValueLayout.JAVA_FLOAT, index, value);
  }
}
