package dev.stowage.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Devices with one context. If the machine has a single device, it is opened twice. */
@NeedsOpenCl
class OpenClTogetherTest {

  private static final int BYTES = 1 << 16;

  private final OpenClDevices devices = OpenClDevices.find();
  private final List<OpenClDevice> pair = devices.openTogether(infos());
  private final OpenClDevice first = pair.getFirst();
  private final OpenClDevice second = pair.getLast();

  private List<OpenClDeviceInfo> infos() {
    OpenClDeviceInfo info = devices.list().getFirst();
    OpenClDeviceInfo other =
        devices.list().stream()
            .filter(each -> each.platformIndex() == info.platformIndex())
            .reduce((_, last) -> last)
            .orElseThrow();
    return List.of(info, other);
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  @Test
  void copyFrom_queued_isInTheOrderOfTheStream() {
    long source = first.allocate(BYTES).orElseThrow();
    long target = second.allocate(BYTES).orElseThrow();
    first.fill(source, BYTES, (byte) 7);
    try (OpenClStream stream = second.openStream()) {
      stream.fill(target, BYTES, (byte) 1);
      stream.copyFrom(first, source + 1, target + 2, BYTES - 4);
      stream.fill(target + 3, 1, (byte) 2);
      stream.copyFrom(first, source, target, 0);
      stream.synchronize();
    }
    byte[] expected = new byte[BYTES];
    Arrays.fill(expected, (byte) 1);
    Arrays.fill(expected, 2, BYTES - 2, (byte) 7);
    expected[3] = 2;
    byte[] read = new byte[BYTES];
    second.copyToHost(target, MemorySegment.ofArray(read));
    assertThat(read).isEqualTo(expected);
    first.free(source, BYTES);
    second.free(target, BYTES);
  }

  @Test
  void canCopyFrom_sameContext_isTrue() {
    assertThat(first.context()).isEqualTo(second.context());
    assertThat(first.canCopyFrom(second)).isTrue();
    assertThat(second.canCopyFrom(first)).isTrue();
    try (OpenClDevice alone = devices.open(devices.list().getFirst())) {
      assertThat(alone.canCopyFrom(first)).isFalse();
      assertThat(first.canCopyFrom(alone)).isFalse();
    }
  }

  @Test
  void close_first_secondStaysOpen() {
    first.close();
    assertThatIllegalStateException().isThrownBy(first::context);
    long address = second.allocate(BYTES).orElseThrow();
    second.fill(address, BYTES, (byte) 3);
    second.free(address, BYTES);
  }

  @Test
  void openTogether_none_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> devices.openTogether(List.of()))
        .withMessage("at least one device is needed: infos=[]");
  }

  @Test
  void copyFrom_sourceOfTheOther_isNotInThisDevice() {
    long source = first.allocate(BYTES).orElseThrow();
    long target = second.allocate(2 * BYTES).orElseThrow();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> second.copyFrom(first, source, target, BYTES + 1));
    first.free(source, BYTES);
    second.free(target, 2 * BYTES);
  }

  static LongStream seeds() {
    return Seeds.of(5);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyCopies_agreeWithArrays(long seed) {
    Random random = new Random(seed);
    OpenClDevice[] at = {first, second};
    long[] addresses = {first.allocate(BYTES).orElseThrow(), second.allocate(BYTES).orElseThrow()};
    byte[][] model = {new byte[BYTES], new byte[BYTES]};
    for (int i = 0; i < 2; i++) {
      random.nextBytes(model[i]);
      at[i].copyFromHost(MemorySegment.ofArray(model[i]), addresses[i]);
    }
    for (int i = 0; i < 50; i++) {
      int to = random.nextInt(2);
      int bytes = random.nextInt(BYTES);
      int start = random.nextInt(BYTES - bytes);
      if (random.nextInt(4) == 0) {
        byte value = (byte) random.nextInt();
        at[to].fill(addresses[to] + start, bytes, value);
        Arrays.fill(model[to], start, start + bytes, value);
      } else {
        int source = random.nextInt(BYTES - bytes);
        at[to].copyFrom(at[1 - to], addresses[1 - to] + source, addresses[to] + start, bytes);
        System.arraycopy(model[1 - to], source, model[to], start, bytes);
      }
    }
    for (int i = 0; i < 2; i++) {
      byte[] found = new byte[BYTES];
      at[i].copyToHost(addresses[i], MemorySegment.ofArray(found));
      assertThat(found).isEqualTo(model[i]);
      at[i].free(addresses[i], BYTES);
    }
  }

  @Test
  void gpuData_contentsOnTheOtherDevice_areCopiedWithoutTheHost() {
    BfcOptions options = BfcOptions.growing();
    try (DevicePool one = DevicePool.open("one", first, options);
        DevicePool two = DevicePool.open("two", second, options);
        SyncedMemory buffer = SyncedMemory.of("weights", 4000, one, two)) {
      buffer.mutableGpuData(first).fill((byte) 7);
      byte[] found = new byte[4000];
      long address = buffer.gpuData(second).addressOn(second);
      second.copyToHost(address, MemorySegment.ofArray(found));
      assertThat(found).containsOnly((byte) 7);
      assertThat(buffer.copies().betweenDevices()).isEqualTo(1);
      assertThat(buffer.copies().toHost()).isZero();
    }
  }
}
