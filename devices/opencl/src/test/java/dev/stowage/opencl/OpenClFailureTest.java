package dev.stowage.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.memory.device.DeviceException;
import org.junit.jupiter.api.Test;

/** Commands that fail after they were queued: user events stand in for them. */
@NeedsOpenCl
class OpenClFailureTest {

  private static final int OUT_OF_RESOURCES = -5;

  private static final String CAUSE =
      "the device has too little memory for a command, or a kernel has accessed memory out of bounds; use smaller buffers, or check the kernel: ";

  /** {@return an event whose command has failed} */
  private static long failedEvent(OpenClDevice device) {
    return UserEvent.of(device).fail(OUT_OF_RESOURCES);
  }

  @Test
  void synchronize_afterACommandThatFailed_throwsOnce() {
    try (OpenClDevice device = OpenClDevice.openFirst().orElseThrow();
        OpenClStream stream = device.openStream()) {
      long address = device.allocate(256).orElseThrow();
      stream.queued("the first", failedEvent(device));
      stream.queued("the second", failedEvent(device));
      stream.fill(address, 256, (byte) 1);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(stream::synchronize)
          .withMessage(CAUSE + "the first failed: CL_OUT_OF_RESOURCES (-5)");
      stream.synchronize();
      assertThat(stream.pendingCount()).isZero();
      device.free(address, 256);
    }
  }

  @Test
  void close_afterACommandThatFailed_throwsAndClosesTheStream() {
    try (OpenClDevice device = OpenClDevice.openFirst().orElseThrow()) {
      OpenClStream stream = device.openStream();
      stream.queued("a command", failedEvent(device));
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(stream::close)
          .withMessage(CAUSE + "a command failed: CL_OUT_OF_RESOURCES (-5)");
      stream.close();
    }
  }

  @Test
  void event_ofWorkThatFailed_isDoneAndDoesNotThrow() {
    try (OpenClDevice device = OpenClDevice.openFirst().orElseThrow();
        OpenClEvent event = new OpenClEvent(device, device.api().queues(), failedEvent(device))) {
      assertThat(event.isDone()).isTrue();
      event.await();
    }
  }

  @Test
  void awaitSuccess_ofACommandThatFailed_throws() {
    try (OpenClDevice device = OpenClDevice.openFirst().orElseThrow()) {
      long event = failedEvent(device);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.api().queues().awaitSuccess("a command", event))
          .withMessage(CAUSE + "a command failed: CL_OUT_OF_RESOURCES (-5)");
    }
  }
}
