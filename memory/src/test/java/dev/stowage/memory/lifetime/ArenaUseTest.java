package dev.stowage.memory.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArenaUseTest {

  private static Arena open(boolean shared) {
    Supplier<Arena> kind = shared ? Arena::ofShared : Arena::ofConfined;
    return kind.get();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isInUse_duringANativeCall_isTrueAndTheArenaStaysOpen(boolean shared) {
    Arena arena = open(shared);
    MemorySegment segment = arena.allocate(8);
    assertThat(ArenaUse.isInUse(arena)).isFalse();
    NativeCalls.during(
        segment,
        () -> {
          assertThat(ArenaUse.isInUse(arena)).isTrue();
          segment.fill((byte) 1);
        });
    assertThat(ArenaUse.isInUse(arena)).isFalse();
    arena.allocate(8).fill((byte) 1);
    arena.close();
    assertThat(ArenaUse.isInUse(arena)).isFalse();
  }

  @Test
  void isInUse_nativeCallOfAnotherThread_isTrueUntilItReturns() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment segment = arena.allocate(8);
      CountDownLatch called = new CountDownLatch(1);
      CountDownLatch returns = new CountDownLatch(1);
      Thread thread =
          Thread.ofPlatform()
              .start(() ->
                  NativeCalls.during(
                      segment,
                      () -> {
                        called.countDown();
                        awaitUninterrupted(returns);
                      }));
      called.await();
      assertThat(ArenaUse.isInUse(arena)).isTrue();
      returns.countDown();
      thread.join();
      assertThat(ArenaUse.isInUse(arena)).isFalse();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
