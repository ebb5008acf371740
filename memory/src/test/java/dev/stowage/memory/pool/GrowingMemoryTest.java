package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.HostMemories;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.device.HostMemoryOptions;
import dev.stowage.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GrowingMemoryTest {

  @Test
  void grow_severalTimes_keepsAddressContentsAndEarlierSegments() {
    try (HostMemory host = HostMemory.open();
        GrowingMemory cache = GrowingMemory.open("cache", host, 1 << 30)) {
      MemorySegment first = cache.grow(1000);
      first.fill((byte) 1);
      MemorySegment second = cache.grow(1 << 20);
      assertThat(second.address()).isEqualTo(first.address()).isEqualTo(cache.address());
      assertThat(second.byteSize()).isEqualTo(1 << 20).isEqualTo(cache.committedBytes());
      assertThat(second.asSlice(0, first.byteSize()).mismatch(first)).isEqualTo(-1);
      assertThat(second.get(ValueLayout.JAVA_BYTE, second.byteSize() - 1)).isZero();
      second.set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
      assertThat(first.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
      assertThat(cache.segment().byteSize()).isEqualTo(1 << 20);
    }
  }

  @Test
  void grow_toLess_changesNothing() {
    try (HostMemory host = HostMemory.open();
        GrowingMemory cache = GrowingMemory.open("cache", host, 1 << 20)) {
      cache.grow(100_000);
      long committed = cache.committedBytes();
      assertThat(committed).isBetween(100_000L, 100_000 + host.granularityBytes());
      assertThat(cache.grow(10).byteSize()).isEqualTo(committed);
      assertThat(host.heldBytes()).isEqualTo(committed);
    }
  }

  @Test
  void open_moreThanTheMemoryOfTheMachine_reservesAddressesOnly() {
    try (HostMemory host = HostMemory.open(HostMemoryOptions.fixed());
        GrowingMemory cache = GrowingMemory.open("cache", host, 1L << 42)) {
      assertThat(cache.maxBytes()).isEqualTo(1L << 42);
      assertThat(cache.committedBytes()).isEqualTo(host.granularityBytes());
    }
  }

  @Test
  void open_noBytes_isRejected() {
    try (HostMemory host = HostMemory.open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GrowingMemory.open("cache", host, 0))
          .withMessage("maxBytes of growing memory 'cache' must be positive: maxBytes=0");
    }
  }

  @Test
  void open_moreAddressesThanThereAre_isRejected() {
    try (HostMemory host = HostMemory.open()) {
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> GrowingMemory.open("cache", host, Long.MAX_VALUE))
          .withMessageMatching(
              "growing memory 'cache' needs 8 EiB \\(9,223,372,036,854,775,807 bytes\\) of addresses from device 'host': it has [\\d.]+ .iB \\([\\d,]+ bytes\\) of memory available; reserve less, or close other memory: reserve failed: ENOMEM \\(12\\)");
      assertThat(host.regionCount()).isZero();
    }
  }

  @Test
  void open_whereRegionsCannotGrow_isRejected() {
    try (HostMemory host = HostMemories.MALLOCED.open()) {
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> GrowingMemory.open("cache", host, 4096))
          .withMessage(
              "growing memory 'cache' needs 4 KiB (4,096 bytes) of addresses from device"
                  + " 'host': its regions cannot grow; open the device with expandable regions:"
                  + " reserve failed: ENOMEM (12)");
    }
  }

  @Test
  void grow_beyondItsMaximum_isRejectedAndNothingChanges() {
    try (HostMemory host = HostMemory.open();
        GrowingMemory cache = GrowingMemory.open("cache", host, 5000)) {
      cache.grow(5000).fill((byte) 1);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> cache.grow(5001))
          .withMessage(
              "growing memory 'cache' cannot have 5001 bytes: it was opened for 0 to 5000 bytes");
      assertThatIllegalArgumentException().isThrownBy(() -> cache.tryGrow(-1));
      assertThat(cache.segment().get(ValueLayout.JAVA_BYTE, 4999)).isOne();
    }
  }

  @Test
  void grow_moreThanTheSystemHas_throwsAndNothingChanges() {
    try (HostMemory host = HostMemory.open();
        GrowingMemory cache = GrowingMemory.open("cache", host, 1L << 43)) {
      cache.grow(1).fill((byte) 1);
      long committed = cache.committedBytes();
      assertThat(cache.tryGrow(1L << 43)).isFalse();
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> cache.grow(1L << 43))
          .withMessageMatching(
              "growing memory 'cache' of %s cannot grow to 8 TiB \\(8,796,093,022,208 bytes\\): device 'host' has [\\d.]+ .iB \\([\\d,]+ bytes\\) available; close other memory: resize failed: ENOMEM \\(12\\)"
                  .formatted(ByteCount.text(committed)));
      assertThat(cache.segment().byteSize()).isEqualTo(committed);
    }
  }

  @Test
  void close_whileSegmentsExist_endsThemAndReleasesAllMemory() {
    try (HostMemory host = HostMemory.open()) {
      GrowingMemory cache = GrowingMemory.open("cache", host, 1 << 20);
      MemorySegment segment = cache.grow(100);
      cache.close();
      cache.close();
      assertThat(host.heldBytes()).isZero();
      assertThatIllegalStateException()
          .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
          .withMessage("Already closed");
      assertThatIllegalStateException()
          .isThrownBy(() -> cache.grow(100))
          .withMessage("growing memory 'cache' is closed");
      assertThatIllegalStateException().isThrownBy(cache::segment);
    }
  }

  static LongStream seeds() {
    return Seeds.of(40);
  }

  /** Each memory is compared with an array, in which every byte that was never written is zero. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_memoriesKeepTheirContents(long seed) {
    Random random = new Random(seed);
    int maxBytes = 1 + random.nextInt(1 << 18);
    try (HostMemory host = HostMemory.open()) {
      List<GrowingMemory> memories = new ArrayList<>();
      List<byte[]> models = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        if (memories.isEmpty() || (memories.size() < 5 && random.nextInt(5) == 0)) {
          memories.add(GrowingMemory.open("memory " + i, host, maxBytes));
          models.add(new byte[maxBytes]);
        }
        int index = random.nextInt(memories.size());
        GrowingMemory memory = memories.get(index);
        byte[] model = models.get(index);
        if (random.nextInt(8) == 0) {
          memory.close();
          memories.remove(index);
          models.remove(index);
          continue;
        }
        int bytes = 1 + random.nextInt(maxBytes);
        MemorySegment segment = random.nextBoolean() ? memory.grow(bytes) : memory.segment();
        int usable = (int) Math.min(segment.byteSize(), maxBytes);
        assertThat(
                segment
                    .asSlice(0, usable)
                    .mismatch(MemorySegment.ofArray(model).asSlice(0, usable)))
            .isEqualTo(-1);
        int at = random.nextInt(usable);
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) i);
        model[at] = (byte) i;
      }
      assertThat(host.heldBytes())
          .isEqualTo(memories.stream().mapToLong(GrowingMemory::committedBytes).sum());
      memories.forEach(GrowingMemory::close);
    }
  }
}
