package dev.stowage.cli.input;

import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A value with its live range, or several values that share a buffer.
 *
 * @param value the first value, with the bytes of the largest one
 * @param first the first position in the schedule
 * @param last the last position in the schedule, inclusive
 * @param valueCount the number of values
 */
record XlaRecord(XlaValue value, long first, long last, int valueCount) {

  /*
   * Values that share a buffer, such as results in place and the state of a loop, have the same offset
   * and live ranges that overlap. They are one record over the union of their ranges.
   */

  private static final Comparator<XlaRecord> BY_OFFSET =
      Comparator.comparingLong(XlaRecord::offset)
          .thenComparingLong(XlaRecord::first)
          .thenComparingLong(XlaRecord::last)
          .thenComparing(XlaRecord::id);

  static XlaRecord of(XlaValue value, XlaRanges.Range range) {
    return new XlaRecord(value, range.first(), range.last(), 1);
  }

  /** {@return the records with those that share a buffer as one, by their offsets and ranges} */
  static List<XlaRecord> joined(List<XlaRecord> records) {
    List<XlaRecord> joined = new ArrayList<>();
    for (XlaRecord record : records.stream().sorted(BY_OFFSET).toList()) {
      boolean isShared =
          !joined.isEmpty()
              && joined.getLast().offset() == record.offset()
              && record.first <= joined.getLast().last;
      if (isShared) {
        joined.add(joined.removeLast().with(record));
      } else {
        joined.add(record);
      }
    }
    return joined;
  }

  private XlaRecord with(XlaRecord other) {
    long bytes = Math.max(value.bytes(), other.value.bytes());
    return new XlaRecord(
        new XlaValue(value.name(), bytes, offset()),
        first, // no record begins earlier than one before it
        Math.max(last, other.last),
        valueCount + other.valueCount);
  }

  /** {@return the name of the first value} */
  String id() {
    return value.name();
  }

  /**
   * {@return the name for people: {@code loop{0} and 2 more} if values share the buffer}
   *
   * @param name the name of the first value
   */
  String named(String name) {
    return name + (valueCount == 1 ? "" : " and " + (valueCount - 1) + " more");
  }

  long offset() {
    return value.offset();
  }

  TensorUsageRecord planned() {
    return TensorUsageRecord.of(value.bytes(), first, last);
  }
}
