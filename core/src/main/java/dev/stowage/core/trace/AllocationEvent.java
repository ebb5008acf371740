package dev.stowage.core.trace;

import java.util.List;
import java.util.Locale;

/** One step of a recorded history. */
public sealed interface AllocationEvent {

  /** {@return what the allocation is called; no two that are live together share a name} */
  String id();

  /** {@return the queue of the device that it happened on} */
  long stream();

  /** {@return when it happened, in whatever unit the recorder has} */
  long time();

  /**
   * A request.
   *
   * @param id what it is called
   * @param bytes how many bytes were asked for
   * @param stream the queue of the device
   * @param time when
   * @param frames who asked: frames of the call stack such as {@code forward at model.py:12}, the
   *     innermost first; empty where the trace does not say
   */
  record Allocate(String id, long bytes, long stream, long time, List<String> frames)
      implements AllocationEvent {

    /**
     * A request.
     *
     * @throws IllegalArgumentException if {@code bytes < 0}
     */
    public Allocate {
      if (bytes < 0) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "allocation '%s' has a negative size: bytes=%d", id, bytes));
      }
      frames = List.copyOf(frames);
    }

    /**
     * A request that nobody is known to have made.
     *
     * @param id what it is called
     * @param bytes how many bytes were asked for
     * @param stream the queue of the device
     * @param time when
     * @throws IllegalArgumentException if {@code bytes < 0}
     */
    public Allocate(String id, long bytes, long stream, long time) {
      this(id, bytes, stream, time, List.of());
    }
  }

  /**
   * The end of a request.
   *
   * @param id what was allocated
   * @param stream the queue of the device
   * @param time when
   */
  record Free(String id, long stream, long time) implements AllocationEvent {}
}
