package dev.stowage.cuda.standin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The streams of all devices. */
final class Streams {

  /** The handle of the default stream of each device. */
  private static final long DEFAULT = 0;

  private final AtomicLong nextHandle;
  private final FailurePlan failures;
  private final SequencedMap<Long, WorkStream> streams = new LinkedHashMap<>();
  private final List<WorkStream> ended = new ArrayList<>();

  Streams(AtomicLong nextHandle, FailurePlan failures) {
    this.nextHandle = nextHandle;
    this.failures = failures;
  }

  long create(Gpu gpu) {
    long handle = nextHandle.getAndIncrement();
    streams.put(handle, new WorkStream(gpu, failures));
    return handle;
  }

  long count() {
    return streams.size();
  }

  /** {@return a stream of a device} */
  WorkStream get(Gpu gpu, long handle) {
    return Optional.ofNullable(handle == DEFAULT ? gpu.defaultStream() : streams.get(handle))
        .filter(stream -> stream.gpu() == gpu)
        .orElseThrow(Result.INVALID_HANDLE::failure);
  }

  /** Ends a stream, whose queued work runs before the device is synchronized. */
  void end(Gpu gpu, long handle) {
    Result.INVALID_HANDLE.unless(handle != DEFAULT);
    ended.add(get(gpu, handle));
    streams.remove(handle);
  }

  /**
   * Runs all work of a device and {@return success or the first failure}
   *
   * <p>The newest stream runs first: a stream that should wait for an older one, and does not, gets
   * a wrong result.
   */
  Result finish(Gpu gpu) {
    List<Result> results =
        Stream.of(
                Stream.of(gpu.defaultStream()),
                streams.sequencedValues().reversed().stream(),
                ended.reversed().stream())
            .flatMap(each -> each)
            .filter(stream -> stream.gpu() == gpu)
            .map(WorkStream::finish)
            .toList();
    return results.stream()
        .filter(result -> result != Result.SUCCESS)
        .findFirst()
        .orElse(Result.SUCCESS);
  }
}
