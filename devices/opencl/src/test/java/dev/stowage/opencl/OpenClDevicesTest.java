package dev.stowage.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of devices, or the reason why it is empty. */
class OpenClDevicesTest {

  @Test
  void find_withoutTheLibrary_namesThePackages() {
    OpenClDevices devices = OpenClDevices.find(List.of("libNoOpenCL.so.1", "libNoOpenCL.so"));
    assertThat(devices.list()).isEmpty();
    assertThat(devices.absence())
        .contains(
            "there is no OpenCL 1.2 library: libNoOpenCL.so.1, libNoOpenCL.so; install its loader, such as Debian's ocl-icd-libopencl1, and a driver, such as pocl-opencl-icd");
  }

  @Test
  void find_libraryThatIsNotOpenCl_isNoLibrary() {
    assertThat(OpenClDevices.find(List.of("libc.so.6")).absence())
        .get()
        .asString()
        .startsWith("there is no OpenCL 1.2 library: libc.so.6; ");
  }

  @Test
  void find_onThisMachine_hasDevicesOrTheReason() {
    OpenClDevices devices = OpenClDevices.find();
    assertThat(devices.absence().isPresent()).isEqualTo(devices.list().isEmpty());
    for (OpenClDeviceInfo info : devices.list()) {
      assertThat(info.name()).isNotBlank();
      assertThat(info.platformName()).isNotBlank();
      assertThat(info.version()).startsWith("OpenCL ");
      assertThat(info.totalBytes()).isPositive();
      assertThat(info.maxAllocationBytes()).isBetween(1L, info.totalBytes());
      assertThat(info.alignmentBytes()).isGreaterThanOrEqualTo(256);
    }
  }

  @Test
  void open_deviceThatIsNotListed_isRejected() {
    OpenClDeviceInfo info = new OpenClDeviceInfo(99, 0, "platform", "device", "", 1, 1, 256);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenClDevices.find().open(info))
        .withMessage("this machine has no such device: info=" + info);
  }
}
