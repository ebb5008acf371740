package dev.stowage.cli.gate;

/**
 * A change of a record since the baseline that can make plans larger.
 *
 * @param kind the kind of the change
 * @param record the record as it is now
 * @param sizeBefore its size in the baseline; 0 for a new record
 * @param moreTasks the tasks that it is live longer than in the baseline; 0 for a new record
 * @param weight the size by which the change can make a plan larger
 */
record TensorChange(
    Kind kind, BaselineRecord record, long sizeBefore, long moreTasks, long weight) {

  /** A kind of changes, the most telling first. */
  enum Kind {
    /** The baseline does not have the record. */
    NEW,
    /** The record has a larger size. */
    LARGER,
    /** The record is live during more tasks. */
    LONGER,
    /** The record is live together with records that it was not live together with. */
    TOGETHER
  }
}
