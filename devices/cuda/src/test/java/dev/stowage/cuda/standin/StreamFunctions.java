package dev.stowage.cuda.standin;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The functions of streams and events. */
final class StreamFunctions {

  private static final int NON_BLOCKING = 1;
  private static final int DISABLE_TIMING = 2;

  private final Gpus gpus;
  private final Streams streams;
  private final AtomicLong nextHandle;
  private final Map<Long, WorkEvent> events = new HashMap<>();

  StreamFunctions(Gpus gpus, Streams streams, AtomicLong nextHandle) {
    this.gpus = gpus;
    this.streams = streams;
    this.nextHandle = nextHandle;
  }

  long eventCount() {
    return events.size();
  }

  void cuCtxSynchronize() {
    streams.finish(gpus.current()).orThrow();
  }

  /** Rejects streams that wait for the default stream: they would hide missing waits. */
  void cuStreamCreate(MemorySegment stream, int flags) {
    Gpu gpu = gpus.current();
    Result.INVALID_VALUE.unless(flags == NON_BLOCKING);
    stream.set(JAVA_LONG, 0, streams.create(gpu));
  }

  void cuStreamSynchronize(long stream) {
    streams.get(gpus.current(), stream).finish().orThrow();
  }

  void cuStreamWaitEvent(long stream, long event, int flags) {
    Gpu gpu = gpus.current();
    WorkEvent awaited = event(event);
    Result.INVALID_HANDLE.unless(flags == 0);
    streams.get(gpu, stream).enqueue(new Work.EventWait(awaited, awaited.recordedNumber()));
  }

  void cuStreamDestroy_v2(long stream) {
    streams.end(gpus.current(), stream);
  }

  private WorkEvent event(long handle) {
    return Optional.ofNullable(events.get(handle)).orElseThrow(Result.INVALID_HANDLE::failure);
  }

  void cuEventCreate(MemorySegment event, int flags) {
    Gpu gpu = gpus.current();
    Result.INVALID_VALUE.unless(flags == DISABLE_TIMING);
    long handle = nextHandle.getAndIncrement();
    events.put(handle, new WorkEvent(gpu));
    event.set(JAVA_LONG, 0, handle);
  }

  void cuEventRecord(long event, long stream) {
    Gpu gpu = gpus.current();
    WorkEvent recorded = event(event);
    Result.INVALID_HANDLE.unless(recorded.gpu() == gpu);
    recorded.recordIn(streams.get(gpu, stream));
  }

  void cuEventQuery(long event) {
    gpus.current();
    WorkEvent queried = event(event);
    if (!queried.isDone()) {
      queried.runOne();
      throw Result.NOT_READY.failure();
    }
  }

  void cuEventSynchronize(long event) {
    gpus.current();
    WorkEvent awaited = event(event);
    awaited.runUntil(awaited.recordedNumber());
  }

  void cuEventDestroy_v2(long event) {
    gpus.current();
    event(event);
    events.remove(event);
  }
}
