package dev.stowage.trace.format;

import java.util.List;

/**
 * An operation of an allocator in a recording of JDK Flight Recorder.
 *
 * @param kind the kind of the operation
 * @param allocator the name of the allocator
 * @param allocation the allocation; without a meaning for a failed request
 * @param bytes the requested bytes, or the bytes of the chunk for a free
 * @param nanos the time of the operation
 * @param origin the caller; {@link Origin#NONE} for a free
 */
record JfrOperation(
    Kind kind, String allocator, Key allocation, long bytes, long nanos, Origin origin) {

  /** The kind of an operation. */
  enum Kind {
    ALLOCATED,
    FREED,
    FAILED
  }

  /**
   * The caller of a request.
   *
   * @param frames its frames, the innermost first
   * @param tag the path of tags
   */
  record Origin(List<String> frames, String tag) {

    static final Origin NONE = new Origin(List.of(), "");
  }

  /** An allocation. Allocators with the same name also have the same ids. */
  record Key(long id, long address) {

    @Override
    public String toString() {
      return "allocation " + id + " at address " + address;
    }
  }
}
