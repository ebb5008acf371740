package dev.stowage.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies that are so large that native kernels do them. */
@NeedsOpenCl
class QueuedCopiesTest {

  /** More than two pieces, the last one of an odd size. */
  private static final long BYTES = (33 << 20) + 5;

  private final OpenClDevice device = OpenClDevice.openFirst().orElseThrow();
  private final Arena arena = Arena.ofShared();
  private long address;

  @BeforeEach
  void allocate() {
    Assumptions.assumeTrue(
        device.hasNativeKernels(),
        "needs native kernels of OpenCL (a device of the CPU, such as pocl's)");
    address = device.allocate(BYTES + 1).orElseThrow();
    device.fill(address, BYTES + 1, (byte) 0);
  }

  @AfterEach
  void free() {
    device.free(address, BYTES + 1);
    device.close();
    arena.close();
  }

  /** {@return bytes that differ from those a piece away} */
  private MemorySegment contents(long seed) {
    byte[] bytes = new byte[Math.toIntExact(BYTES)];
    new Random(seed).nextBytes(bytes);
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
  }

  @Test
  void copies_largeOnesAmongOthers_areCompleteAndInOrder() {
    MemorySegment first = contents(1);
    MemorySegment second = contents(2);
    MemorySegment firstBack = arena.allocate(BYTES);
    MemorySegment secondBack = arena.allocate(BYTES);
    try (OpenClStream stream = device.openStream()) {
      stream.copyFromHost(first, address + 1);
      stream.fill(address + 10, 100, (byte) 7);
      stream.copyToHost(address + 1, firstBack);
      stream.copyFromHost(second, address);
      stream.copyToHost(address, secondBack);
      stream.synchronize();
    }
    first.asSlice(9, 100).fill((byte) 7);
    assertThat(firstBack.mismatch(first)).isEqualTo(-1);
    assertThat(secondBack.mismatch(second)).isEqualTo(-1);
  }

  @Test
  void copy_largeBehindWorkThatWaits_waitsToo() {
    MemorySegment contents = contents(3);
    MemorySegment back = arena.allocate(BYTES);
    UserEvent gate = UserEvent.of(device);
    try (OpenClStream stream = device.openStream();
        OpenClEvent opening = new OpenClEvent(device, device.api().queues(), gate.event())) {
      stream.waitFor(opening);
      stream.copyFromHost(contents, address);
      try (DeviceEvent done = stream.record()) {
        assertThat(done.isDone()).isFalse();
        device.copyToHost(address, back);
        assertThat(back.mismatch(arena.allocate(BYTES))).isEqualTo(-1);
        gate.complete();
        done.await();
        device.copyToHost(address, back);
        assertThat(back.mismatch(contents)).isEqualTo(-1);
      }
    }
  }

  @Test
  void synchronize_afterACopyThatThrew_throwsOnce() {
    MemorySegment host = arena.allocate(8);
    try (OpenClStream stream = device.openStream();
        BufferRange range = device.range(address, 8)) {
      BufferRange impossible = range.part(0, -1);
      stream.queued("a command", stream.largeCopies().enqueue(host, impossible));
      stream.queued("a command", stream.largeCopies().enqueue(impossible, host));
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(stream::synchronize)
          .withMessage("a copy of clEnqueueNativeKernel failed: CL_OUT_OF_HOST_MEMORY (-6)")
          .withCauseInstanceOf(IllegalArgumentException.class);
      stream.synchronize();
    }
  }
}
