package dev.stowage.allocator;

import static dev.stowage.allocator.WaitingRequest.FOREVER;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As TensorFlow's tests of AllocatorRetry: room for two, and three consumers. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BfcAllocatorRetryTest {

  private final ScriptedRegions device = ScriptedRegions.ascending();

  private static final int CONSUMERS = 3;

  private BfcAllocator roomForTwo() {
    return new BfcAllocator("retry", device, BfcOptions.oneRegion(512));
  }

  /** {@return the number of consumers that ran out of memory} */
  private static int outOfMemory(BfcAllocator room, Callable<Void> consumer) throws Exception {
    int failures = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(CONSUMERS)) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int i = 0; i < CONSUMERS; i++) {
        tasks.add(() -> {
          try {
            consumer.call();
            return false;
          } catch (BfcOutOfMemoryException _) {
            return true;
          }
        });
      }
      for (Future<Boolean> failed : threads.invokeAll(tasks)) {
        failures += failed.get() ? 1 : 0;
      }
    }
    assertThat(room.statistics().bytesInUse()).isZero();
    assertThat(room.waitingRequests()).isZero();
    return failures;
  }

  @Test
  void retry_threeTakeOneEach_allSucceed() throws Exception {
    BfcAllocator room = roomForTwo();
    assertThat(
            outOfMemory(
                room,
                () -> {
                  for (int i = 0; i < 1000; i++) {
                    room.free(room.allocateOrWait(256, 256, FOREVER));
                  }
                  return null;
                }))
        .isZero();
    assertThat(room.statistics().allocations()).isEqualTo(CONSUMERS * 1000);
  }

  @Test
  void retry_threeTakeOneEachWithoutWaiting_oneFails() throws Exception {
    BfcAllocator room = roomForTwo();
    CyclicBarrier allAsked = new CyclicBarrier(CONSUMERS);
    assertThat(
            outOfMemory(
                room,
                () -> {
                  long address;
                  try {
                    address = room.allocateOrWait(256, 256, Duration.ZERO);
                  } finally {
                    allAsked.await();
                  }
                  room.free(address);
                  return null;
                }))
        .isEqualTo(1);
  }

  @Test
  void retry_threeTakeTwoEachOneByOne_someFail() throws Exception {
    BfcAllocator room = roomForTwo();
    long[] taken = {room.allocate(256), room.allocate(256)};
    CyclicBarrier allAsk = new CyclicBarrier(CONSUMERS);
    assertThat(
            outOfMemory(
                room,
                () -> {
                  // Two consumers have one each, and free it when they did not get another one.
                  int which = allAsk.await();
                  long first = which < 2 ? taken[which] : room.allocateOrWait(256, 256, FOREVER);
                  try {
                    room.free(room.allocateOrWait(256, 256, Duration.ofMillis(1)));
                  } finally {
                    room.free(first);
                  }
                  return null;
                }))
        .isBetween(1, CONSUMERS);
  }
}
