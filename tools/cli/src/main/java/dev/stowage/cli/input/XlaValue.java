package dev.stowage.cli.input;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A value in an allocation, or several values that share a buffer.
 *
 * @param name the instruction of the first value, with an index such as {@code {0}} if the
 *     instruction has several values
 * @param bytes the bytes of the largest value
 * @param offset the first byte in the allocation
 * @param first the first position in the order of the instructions
 * @param last the last position, inclusive
 */
record XlaValue(String name, long bytes, long offset, long first, long last) {

  /*
   * Some values share a buffer: results in place, and the state of a loop. Their offsets are equal
   * and their live ranges overlap. They are one record over the union of their ranges.
   */

  private static final Comparator<XlaValue> BY_OFFSET =
      Comparator.comparingLong(XlaValue::offset)
          .thenComparingLong(XlaValue::first)
          .thenComparingLong(XlaValue::last)
          .thenComparing(XlaValue::name);

  /** {@return the values, by their offsets and ranges; values that share a buffer become one} */
  static List<XlaValue> joined(List<XlaValue> values) {
    List<XlaValue> joined = new ArrayList<>();
    for (XlaValue value : values.stream().sorted(BY_OFFSET).toList()) {
      boolean isShared =
          !joined.isEmpty()
              && joined.getLast().offset == value.offset
              && value.first <= joined.getLast().last;
      joined.add(isShared ? joined.removeLast().with(value) : value);
    }
    return joined;
  }

  /** {@return this value and one that begins with it or later} */
  private XlaValue with(XlaValue other) {
    return new XlaValue(
        name, Math.max(bytes, other.bytes), offset, first, Math.max(last, other.last));
  }
}
