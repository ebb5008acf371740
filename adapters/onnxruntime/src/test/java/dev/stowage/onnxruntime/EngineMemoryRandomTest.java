package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests within and beyond the limit, before and after the allocator is closed. */
class EngineMemoryRandomTest {

  private static final long LIMIT_BYTES = 1 << 20;

  private record Held(long address, long bytes) {}

  private final List<Held> held = new ArrayList<>();

  static LongStream seeds() {
    return Seeds.of(50);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_invariantsHoldAndAllBytesAreReported(long seed) {
    Random random = new Random(seed);
    try (HostMemory host = HostMemory.open()) {
      EngineMemory memory =
          new EngineMemory(
              "seed " + seed,
              EngineRegions.ofHost(host.newSubAllocator()),
              OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(LIMIT_BYTES)));
      for (int i = 0; i < 200; i++) {
        step(random, memory);
        check(memory);
      }
      while (!held.isEmpty()) {
        memory.free(held.removeLast().address());
        check(memory);
      }
      memory.close(() -> {});
      check(memory);
      request(memory.allocate(1), 1); // of a session that is still open
      check(memory);
      assertThat(memory.report().overflow().bytesInUse()).isOne();
      memory.free(held.removeLast().address());
      check(memory);
    }
  }

  private void step(Random random, EngineMemory memory) {
    long bytes = 1 + random.nextLong(LIMIT_BYTES >> random.nextInt(12));
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> request(memory.allocate(bytes), bytes);
      case 3 -> request(memory.reserve(bytes), bytes);
      case 4 -> memory.trim();
      case 5 -> closeIsRefused(memory);
      default -> {
        if (!held.isEmpty()) {
          memory.free(held.remove(random.nextInt(held.size())).address());
        }
      }
    }
  }

  private void request(long address, long bytes) {
    assertThat(address).isNotZero();
    held.add(new Held(address, bytes));
  }

  private void closeIsRefused(EngineMemory memory) {
    if (!held.isEmpty()) {
      assertThatThrownBy(() -> memory.close(() -> {})).isInstanceOf(IllegalStateException.class);
    }
  }

  private void check(EngineMemory memory) {
    memory.checkInvariants();
    long bytes =
        memory.statistics().requestedBytesInUse() + memory.report().overflow().bytesInUse();
    assertThat(bytes).isEqualTo(held.stream().mapToLong(Held::bytes).sum());
  }
}
