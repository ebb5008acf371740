package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A value in an allocation, or several values that share a buffer.
 *
 * @param name the instruction of the first value, with an index such as {@code {0}} if it has
 *     several values
 * @param bytes the bytes of the largest value
 * @param offset the first byte in the allocation
 * @param first the first position in the schedule; 0 until it is known
 * @param last the last position in the schedule, inclusive
 * @param count the number of values
 */
record XlaValue(String name, long bytes, long offset, long first, long last, int count) {

  /*
   * Values that share a buffer, such as results in place and the state of a loop, have the same offset
   * and live ranges that overlap. They are one record over the union of their ranges.
   */

  private static final Comparator<XlaValue> BY_OFFSET =
      Comparator.comparingLong(XlaValue::offset)
          .thenComparingLong(XlaValue::first)
          .thenComparingLong(XlaValue::last)
          .thenComparing(XlaValue::name);

  /** Creates a value whose live range is not known yet. */
  XlaValue(String name, long bytes, long offset) {
    this(name, bytes, offset, 0, 0, 1);
  }

  XlaValue during(long newFirst, long newLast) {
    return new XlaValue(name, bytes, offset, newFirst, newLast, count);
  }

  /** {@return the values with those that share a buffer as one, by their offsets and ranges} */
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
        name,
        Math.max(bytes, other.bytes),
        offset,
        first,
        Math.max(last, other.last),
        count + other.count);
  }

  /**
   * {@return the name for people: {@code loop{0} and 2 more} if values share the buffer}
   *
   * @param firstName the name of the first value
   */
  String named(String firstName) {
    return firstName + (count == 1 ? "" : " and " + (count - 1) + " more");
  }

  /** {@return the name with an index, as lists of live ranges have it} */
  String key() {
    return name.endsWith("}") ? name : name + "{}";
  }

  /** {@return the name in messages} */
  String excerpt() {
    return MalformedFileException.excerpt(name);
  }

  /** {@return the name of the instruction} */
  String instruction() {
    int index = name.indexOf('{');
    return index < 0 ? name : name.substring(0, index);
  }
}
