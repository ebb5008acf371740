package dev.stowage.trace.format;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** An event of a recorded history. */
public sealed interface AllocationEvent {

  /** {@return the id of the allocation, which is unique among live allocations} */
  String id();

  /** {@return the number of the device's stream} */
  long stream();

  /** {@return the time of the event, in the unit of the trace} */
  long time();

  /**
   * A request.
   *
   * @param id the name of the allocation
   * @param bytes the requested bytes
   * @param stream the queue of the device
   * @param time the time of the event
   * @param frames the frames of the caller, such as {@code forward at model.py:12}, the innermost
   *     first; empty if the trace does not have them
   * @param tag the purpose of the memory, such as a path of tags of {@code AllocationTag} or a
   *     category of PyTorch's profiler; empty if the trace does not have it
   */
  record Allocate(String id, long bytes, long stream, long time, List<String> frames, String tag)
      implements AllocationEvent {

    /**
     * Creates a request.
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
     * Creates a request without a tag.
     *
     * @param id the name of the allocation
     * @param bytes the requested bytes
     * @param stream the queue of the device
     * @param time the time of the event
     * @param frames the frames of the caller, the innermost first
     * @throws IllegalArgumentException if {@code bytes < 0}
     */
    public Allocate(String id, long bytes, long stream, long time, List<String> frames) {
      this(id, bytes, stream, time, frames, "");
    }

    /**
     * Creates a request of an unknown caller.
     *
     * @param id the name of the allocation
     * @param bytes the requested bytes
     * @param stream the queue of the device
     * @param time the time of the event
     * @throws IllegalArgumentException if {@code bytes < 0}
     */
    public Allocate(String id, long bytes, long stream, long time) {
      this(id, bytes, stream, time, List.of());
    }

    /** {@return the lines that tell a reader where the request comes from: its tag and frames} */
    public List<String> origin() {
      return tag.isEmpty()
          ? frames
          : Stream.concat(Stream.of("tag " + tag), frames.stream()).toList();
    }
  }

  /**
   * A request that failed in the recorded program. It holds no memory.
   *
   * @param request the request
   * @param isRefusedByDevice true if the device refused a region that the limit of the allocator
   *     permitted
   */
  record Fail(Allocate request, boolean isRefusedByDevice) implements AllocationEvent {

    /**
     * Creates a failed request without a reason.
     *
     * @param request the request
     */
    public Fail(Allocate request) {
      this(request, false);
    }

    @Override
    public String id() {
      return request.id();
    }

    @Override
    public long stream() {
      return request.stream();
    }

    @Override
    public long time() {
      return request.time();
    }
  }

  /**
   * A free.
   *
   * @param id the name of the allocation
   * @param stream the queue of the device
   * @param time the time of the event
   */
  record Free(String id, long stream, long time) implements AllocationEvent {}
}
