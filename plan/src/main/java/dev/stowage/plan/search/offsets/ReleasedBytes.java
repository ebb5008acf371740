package dev.stowage.plan.search.offsets;

/**
 * A lower bound of the end of several records that are live at one task. Each record lies at or
 * above its own lowest offset.
 *
 * <p>It is the makespan of preemptive scheduling on one machine with release dates: the bytes are
 * the jobs, and the lowest offset of a record releases its bytes. Pinned bytes are jobs, too.
 */
final class ReleasedBytes {

  private final long[] releases;
  private final long[] bytes;
  private int count;

  /**
   * Creates a bound for no records.
   *
   * @param maxRecords the largest number of records
   */
  ReleasedBytes(int maxRecords) {
    releases = new long[maxRecords + 2];
    bytes = new long[maxRecords + 2];
  }

  /** Removes all records; the next ones lie at or above {@code from}. */
  void clear(long from) {
    releases[0] = from;
    bytes[0] = 0;
    count = 1;
  }

  /** Adds records that lie at or above {@code release}. */
  void add(long release, long ofRecords) {
    if (release <= releases[0]) {
      bytes[0] += ofRecords;
    } else {
      releases[count] = release;
      bytes[count++] = ofRecords;
    }
  }

  /** {@return the bytes of the records released first} */
  long firstBytes() {
    return bytes[0];
  }

  /** Sorts the records by release, for {@link #minEnd}, and {@return the number of steps} */
  long sort() {
    long steps = count;
    for (int k = 1; k < count; k++) {
      long release = releases[k];
      long ofRecord = bytes[k];
      int to = k;
      for (; to > 0 && releases[to - 1] > release; to--) {
        releases[to] = releases[to - 1];
        bytes[to] = bytes[to - 1];
      }
      releases[to] = release;
      bytes[to] = ofRecord;
      steps += k - to;
    }
    return steps;
  }

  /**
   * {@return a lower bound of the end of the last record}
   *
   * @param pinned the start and end of each pinned range, alternating, ascending
   */
  long minEnd(long[] pinned) {
    long first = releases[0];
    long end = first;
    int pin = 0;
    for (int k = 0; k < count; k++) {
      for (; pin < pinned.length && pinned[pin] <= releases[k]; pin += 2) {
        long start = Math.max(pinned[pin], first);
        if (pinned[pin + 1] > start) {
          end = Math.max(end, start) + pinned[pin + 1] - start;
        }
      }
      end = Math.max(end, releases[k]) + bytes[k];
    }
    for (; pin < pinned.length && pinned[pin] < end; pin += 2) {
      end += pinned[pin + 1] - pinned[pin];
    }
    return end;
  }
}
