package dev.stowage.core.plan.search.offsets;

/**
 * Bytes that lie at some offset or above, each from an offset of its own, and how high they reach
 * together at least.
 *
 * <p>The bound is that of one machine whose jobs have release dates and may be interrupted: all
 * bytes that are released at some offset or later have to fit above it. Pinned bytes are jobs, too.
 */
final class ReleasedBytes {

  private final long[] releases;
  private final long[] bytes;
  private int count;

  /**
   * No bytes yet.
   *
   * @param most how many records there may be
   */
  ReleasedBytes(int most) {
    releases = new long[most];
    bytes = new long[most];
  }

  void clear() {
    count = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Adds the bytes of one record, none of which lies below {@code release}. */
  void add(long release, long ofRecord) {
    releases[count] = release;
    bytes[count++] = ofRecord;
  }

  /** Sorts by release, as {@link #lastEnd} needs it, and {@return the number of steps taken} */
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
   * {@return an offset that some byte reaches}
   *
   * @param pinned start and end of each pinned range, in turn, ascending
   */
  long lastEnd(long[] pinned) {
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
