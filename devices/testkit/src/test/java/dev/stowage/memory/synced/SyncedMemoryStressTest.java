package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Many threads on one buffer. */
class SyncedMemoryStressTest {

  private static final int THREADS = 4;

  @Test
  void gpuData_ofManyThreads_isCopiedOnce() throws Exception {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        SyncedMemory buffer = SyncedMemory.of("x", 4096, gpu.pool())) {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      for (int round = 1; round <= 100; round++) {
        buffer.mutableCpuData().fill((byte) round);
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          tasks.add(() -> {
            start.await();
            return buffer.gpuData().address();
          });
        }
        assertThat(new HashSet<>(runAll(tasks))).hasSize(1);
        assertThat(buffer.copies().toDevices()).isEqualTo(round);
      }
    }
  }

  @Test
  void anyThreads_readingAndWriting_neverSeeHalfACopyNorLoseAWrite() throws Exception {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        SyncedMemory buffer = SyncedMemory.of("x", 4096, gpu.pool())) {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        boolean writing = i == 0;
        tasks.add(() -> writing ? write(buffer) : read(buffer));
      }
      runAll(tasks);
      assertThat(buffer.cpuData().get(ValueLayout.JAVA_BYTE, 4095)).isEqualTo((byte) 1000);
    }
  }

  /** Fills the buffer on the device, again and again. */
  private static long write(SyncedMemory buffer) {
    long writes = 0;
    for (int value = 1; value <= 1000; value++) {
      // Readers end mutable data, so that a writer tries again until its access is in time.
      boolean written = false;
      while (!written) {
        try {
          buffer.mutableGpuData().fill((byte) value);
          written = true;
        } catch (IllegalStateException ended) {
          assertThat(ended).hasMessageContaining("the buffer was copied elsewhere");
        }
      }
      writes++;
    }
    return writes;
  }

  /** Sees the buffer full of one number each time, or the end of a segment. */
  private static long read(SyncedMemory buffer) {
    long reads = 0;
    for (int i = 0; i < 1000; i++) {
      MemorySegment data = buffer.cpuData();
      try {
        byte first = data.get(ValueLayout.JAVA_BYTE, 0);
        byte last = data.get(ValueLayout.JAVA_BYTE, 4095);
        assertThat(last).isEqualTo(first);
        reads++;
      } catch (IllegalStateException ended) {
        assertThat(ended).hasMessage("Already closed");
      }
    }
    return reads;
  }

  private static List<Long> runAll(List<Callable<Long>> tasks) throws Exception {
    List<Long> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Long> future : threads.invokeAll(tasks)) {
        results.add(future.get());
      }
    }
    return results;
  }
}
