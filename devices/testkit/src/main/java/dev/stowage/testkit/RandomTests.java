package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.memory.device.Device;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random operations, compared with a model on the Java heap. */
abstract class RandomTests {

  abstract Device open();

  static LongStream seeds() {
    return Seeds.of(15);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_agreeWithTheModel(long seed) {
    try (Device device = open();
        RandomRun run = new RandomRun(device, seed)) {
      for (int i = 0; i < 150; i++) {
        run.step();
      }
    }
  }

  /** An allocation and its contents. */
  private static final class Chunk {

    private final long address;
    private final byte[] contents;

    Chunk(long address, byte[] contents) {
      this.address = address;
      this.contents = contents;
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyAllocations_ofAnAllocatorOnTheDevice_keepTheirContents(long seed) {
    Random random = new Random(seed);
    int maxBytes = 1 << (8 + random.nextInt(10));
    BfcOptions options =
        List.of(BfcOptions.growing(), BfcOptions.oneRegion(16 << 20), BfcOptions.expandable())
            .get(random.nextInt(3))
            .withFirstRegion(1 << 16)
            .withLimit(64 << 20);
    try (Device device = open()) {
      List<Chunk> chunks = new ArrayList<>();
      try (BfcAllocator allocator = new BfcAllocator("seed " + seed, device, options)) {
        for (int i = 0; i < 200; i++) {
          if (random.nextInt(5) < 3) {
            byte[] contents = new byte[1 + random.nextInt(maxBytes)];
            random.nextBytes(contents);
            OptionalLong address = allocator.tryAllocate(contents.length, 256);
            if (address.isPresent()) {
              device.copyFromHost(MemorySegment.ofArray(contents), address.getAsLong());
              chunks.add(new Chunk(address.getAsLong(), contents));
            }
          } else if (!chunks.isEmpty()) {
            free(device, chunks.remove(random.nextInt(chunks.size())), allocator);
          }
          if (random.nextInt(20) == 0) {
            allocator.trim();
          }
        }
        assertThat(chunks).isNotEmpty();
        while (!chunks.isEmpty()) {
          free(device, chunks.removeLast(), allocator);
        }
        AllocatorInternals.of(allocator).checkInvariants();
      }
    }
  }

  private static void free(Device device, Chunk chunk, BfcAllocator allocator) {
    Contents.check(device, chunk.address, chunk.contents);
    allocator.free(chunk.address);
  }
}
