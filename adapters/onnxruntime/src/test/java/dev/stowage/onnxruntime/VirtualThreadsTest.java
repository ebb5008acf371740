package dev.stowage.onnxruntime;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtEnvironment;
import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Virtual threads in calls of ONNX Runtime keep their carriers. A virtual thread that has none must
 * not hold up a lock that all of them need.
 */
class VirtualThreadsTest {

  private static final int CARRIERS = Runtime.getRuntime().availableProcessors();

  private static final int SPINS = 200_000;

  private final CountDownLatch released = new CountDownLatch(1);
  private final HostMemory host = HostMemory.open();
  private final Arena arena = Arena.ofShared();
  private final HoldingListener listener = new HoldingListener();
  private final EngineMemory memory =
      new EngineMemory(
          "engine",
          EngineRegions.ofHost(host.newSubAllocator()),
          OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(16 << 20))
              .withListener(listener));
  private final long engine;
  private final List<Thread> threads = new ArrayList<>();

  VirtualThreadsTest() {
    OrtEnvironment.getEnvironment(); // loads the library
    engine =
        new EngineCalls("engine", OnnxRuntimeApi.ofLoadedLibrary(), memory, 0, arena)
            .newAllocator();
  }

  /** A listener that keeps the allocator's lock while a platform thread asks for the bytes. */
  private final class HoldingListener implements AllocationListener {

    private static final long BYTES = 4321;

    @Override
    public void allocated(Allocation allocation) {
      if (allocation.requestedBytes() == BYTES) {
        awaitRelease();
      }
    }

    @Override
    public void freed(long id) {}

    @Override
    public void failed(long bytes) {}
  }

  @AfterEach
  void closeMemory() {
    if (threads.stream().noneMatch(Thread::isAlive)) { // else they still use the memory
      memory.close(() -> {});
      arena.close();
      host.close();
    }
  }

  private void awaitRelease() {
    try {
      released.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError("interrupted", interrupted);
    }
  }

  /** Allocates and frees in calls from native code, as in a run of ONNX Runtime. */
  @SuppressWarnings("restricted") // calls a C function
  private void callFromNativeCode() {
    MemorySegment fields = MemorySegment.ofAddress(engine).reinterpret(7 * JAVA_LONG.byteSize());
    try {
      long address =
          (long)
              handle(fields, EngineCalls.ALLOC, EngineCalls.ALLOC_TYPE).invokeExact(engine, 1000L);
      handle(fields, EngineCalls.FREE, EngineCalls.FREE_TYPE).invokeExact(engine, address);
    } catch (Throwable thrown) {
      throw new AssertionError("an upcall threw an exception", thrown);
    }
  }

  @SuppressWarnings("restricted") // calls a C function
  private static MethodHandle handle(MemorySegment fields, int field, FunctionDescriptor type) {
    MemorySegment function = MemorySegment.ofAddress(fields.getAtIndex(JAVA_LONG, field));
    return Linker.nativeLinker().downcallHandle(function, type);
  }

  private void start(Thread.Builder builder, Runnable code) {
    threads.add(builder.start(code));
  }

  /** Waits until threads wait, and until other threads that can wait have probably done so. */
  private void awaitWaiting(int count) {
    while (threads.stream().filter(VirtualThreadsTest::isWaiting).count() < count) {
      Thread.onSpinWait();
    }
    for (int spins = 0; spins < SPINS; spins++) {
      Thread.onSpinWait();
    }
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  private void releaseAndJoin() throws InterruptedException {
    released.countDown();
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(10))).as("%s ended", thread).isTrue();
    }
    memory.checkInvariants();
  }

  @Test
  void lockOfTheAllocator_virtualThreadIsFirstInItsQueue_callsEnd() throws Exception {
    start(Thread.ofPlatform(), () -> memory.free(memory.allocate(HoldingListener.BYTES)));
    awaitWaiting(1);
    start(Thread.ofVirtual(), memory::statistics);
    awaitWaiting(2);
    for (int index = 0; index < CARRIERS; index++) {
      start(Thread.ofVirtual(), this::callFromNativeCode);
    }
    awaitWaiting(1 + CARRIERS);
    releaseAndJoin();
  }
}
