package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.cuda.standin.StandIn;
import dev.stowage.memory.device.DeviceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of devices, or the reason why it is empty. */
class CudaDevicesTest {

  private static final CudaLibrary ABSENT_LIBRARY = CudaLibrary.named("libcuda-absent.so.1");
  private static final String NO_DRIVER =
      "there is no CUDA driver: libcuda-absent.so.1 cannot be loaded; install NVIDIA's driver, or give the container access to the GPU";
  private static final String NO_DEVICE =
      "the CUDA driver has no device; check nvidia-smi and CUDA_VISIBLE_DEVICES";

  @RegisterExtension final StandIn standIn = new StandIn();

  @Test
  void find_twoDevices_namesThem() {
    CudaDevices found = CudaDevices.find(standIn::functions);
    assertThat(found.absence()).isEmpty();
    assertThat(found.list())
        .extracting(CudaDeviceInfo::ordinal, CudaDeviceInfo::name, CudaDeviceInfo::totalBytes)
        .containsExactly(tuple(0, "Stand-in A", 1L << 30), tuple(1, "Stand-in B", 1L << 30));
    assertThat(found.list().getFirst()).hasToString("cuda:0 Stand-in A with 1073741824 bytes");
    assertThat(standIn.contexts(0)).isZero();
  }

  @Test
  void find_ofThisMachine_hasDevicesOrTheReason() {
    CudaDevices found = CudaDevices.find();
    assertThat(found.list().isEmpty()).isEqualTo(found.absence().isPresent());
  }

  @Test
  void find_noDriver_hasTheReason() {
    CudaDevices found = CudaDevices.find(ABSENT_LIBRARY);
    assertThat(found.list()).isEmpty();
    assertThat(found.absence()).contains(NO_DRIVER);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void find_libraryThatLacksFunctions_hasTheReason() {
    assertThat(CudaDevices.find(CudaLibrary.named("libc.so.6")).absence())
        .contains("the CUDA driver is too old: it has no cuInit; install version 11.2 or newer");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void find_noDevice_hasTheReason(boolean fromTheStart) {
    if (fromTheStart) {
      standIn.reset(0, 0);
    } else {
      standIn.fail("cuDeviceGetCount", 1, CudaDriver.SUCCESS); // starts, and counts none
    }
    assertThat(CudaDevices.find(standIn::functions).absence()).contains(NO_DEVICE);
  }

  @Test
  void find_driverThatDoesNotStart_hasTheReason() {
    standIn.fail("cuInit", 1, StandIn.UNKNOWN);
    assertThat(CudaDevices.find(standIn::functions).absence())
        .contains("the CUDA driver does not start: cuInit failed: CUDA_ERROR_UNKNOWN (999)");
  }

  @Test
  void find_codeThatTheDriverDoesNotKnow_hasItsNumber() {
    standIn.fail("cuInit", 1, 4711);
    assertThat(CudaDevices.find(standIn::functions).absence())
        .contains("the CUDA driver does not start: cuInit failed: unknown to the driver (4711)");
  }

  @Test
  void find_driverThatDoesNotKnowItsDevices_fails() {
    standIn.fail("cuDeviceGetName", 2, StandIn.UNKNOWN);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> CudaDevices.find(standIn::functions))
        .withMessage("cuDeviceGetName of device 1 failed: CUDA_ERROR_UNKNOWN (999)");
  }

  @Test
  void open_noDriver_isRejected() {
    assertThatIllegalStateException()
        .isThrownBy(() -> CudaDevice.open(ABSENT_LIBRARY, 0, CudaOptions.fixed()))
        .withMessage(NO_DRIVER);
  }

  @Test
  void open_noMemoryForTheContext_hasTheRemedy() {
    standIn.fail("cuDevicePrimaryCtxRetain", 1, CudaDriver.OUT_OF_MEMORY);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> CudaDevice.open(standIn::functions, 0, CudaOptions.fixed()))
        .withMessage(
            "the GPU has too little free memory to open it; end other programs on it: cuDevicePrimaryCtxRetain of device 'cuda:0 Stand-in A' failed: CUDA_ERROR_OUT_OF_MEMORY (2)");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void open_noSuchOrdinal_isRejected(int ordinal) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CudaDevice.open(standIn::functions, ordinal, CudaOptions.fixed()))
        .withMessage("there is no such CUDA device: ordinal=%s, devices=2", ordinal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuDeviceGetCount",
        "cuDeviceGet",
        "cuDeviceTotalMem_v2",
        "cuDeviceGetAttribute",
        "cuDevicePrimaryCtxRetain",
        "cuCtxSetCurrent",
        "cuMemGetAllocationGranularity"
      })
  void open_failureOfTheDriver_leavesNothing(String function) {
    standIn.fail(function, 1, StandIn.UNKNOWN);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> CudaDevice.open(standIn::functions, 0, CudaOptions.expandable()))
        .withMessageEndingWith(" failed: CUDA_ERROR_UNKNOWN (999)")
        .matches(e -> e.code() == 999 && e.codeName().equals("CUDA_ERROR_UNKNOWN"));
    standIn.fail("", 0, 0);
  }

  @Test
  void open_expandableWithoutVirtualMemory_isRejected() {
    standIn.takeVirtualMemory();
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> CudaDevice.open(standIn::functions, 0, CudaOptions.expandable()))
        .withMessage(
            "expandable regions on device 'cuda:0 Stand-in A', which has no virtual memory, failed: CUDA_ERROR_NOT_SUPPORTED (801)");
    CudaDevice.open(standIn::functions, 0, CudaOptions.fixed()).close();
  }

  @Test
  void options_unfit_areRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CudaOptions.expandable(-1))
        .withMessage("reservedBytes must not be negative: reservedBytes=-1");
  }
}
