package dev.stowage.opencl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of devices of OpenCL beyond the contract. */
@NeedsOpenCl
class OpenClDeviceTest {

  private static OpenClDevice open() {
    return OpenClDevice.openFirst().orElseThrow();
  }

  @Test
  void open_listedDevice_hasTheDescriptionOfItsPlatform() {
    OpenClDeviceInfo info = OpenClDevices.find().list().getFirst();
    try (OpenClDevice device = OpenClDevice.open(info)) {
      assertThat(device.info()).usingRecursiveComparison().isEqualTo(info);
      assertThat(device.name()).isEqualTo(info.name());
      assertThat(device.totalBytes()).isEqualTo(info.totalBytes());
      assertThat(device.context()).isNotZero();
      assertThat(device.deviceId()).isNotZero();
    }
  }

  @Test
  void find_libraryWithoutPlatforms_namesThePackages(@TempDir Path noPlatforms) throws Exception {
    List<Class<?>> classes = List.of(OpenClDevices.class, Device.class, SubAllocator.class);
    StringJoiner classPath = new StringJoiner(File.pathSeparator);
    classPath.add(Path.of(System.getProperty("basedir", ""), "target/test-classes").toString());
    for (Class<?> each : classes) {
      URI place = each.getProtectionDomain().getCodeSource().getLocation().toURI();
      classPath.add(Path.of(place).toString());
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath.toString(),
            PrintAbsence.class.getName());
    builder.environment().put("OCL_ICD_VENDORS", noPlatforms.toString());
    Process process = builder.redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(printed)
        .isEqualToIgnoringNewLines(
            "OpenCL has no platform here; install one's driver, or one that computes on the CPU, such as Debian's pocl-opencl-icd");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void availableBytes_withRegions_isTheRest() {
    try (OpenClDevice device = open()) {
      long address = device.allocate(1 << 20).orElseThrow();
      assertThat(device.availableBytes()).isEqualTo(device.totalBytes() - (1 << 20));
      device.free(address, 1 << 20);
      assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    }
  }

  @Test
  void allocate_moreThanARegionCanHave_isEmpty() {
    try (OpenClDevice device = open()) {
      assertThat(device.allocate(device.info().maxAllocationBytes() + 256)).isEmpty();
      assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    }
  }

  @Test
  void buffer_ofAnAddress_isItsRegionsAndTheOffset() {
    try (OpenClDevice device = open()) {
      long first = device.allocate(4096).orElseThrow();
      long second = device.allocate(4096).orElseThrow();
      OpenClBuffer start = device.buffer(first);
      assertThat(start.memory()).isNotZero();
      assertThat(start.offsetBytes()).isZero();
      assertThat(device.buffer(first + 4095)).isEqualTo(new OpenClBuffer(start.memory(), 4095));
      assertThat(device.buffer(second).memory()).isNotEqualTo(start.memory());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.buffer(first + 4096))
          .withMessage("no region of device '%s' has 1 bytes at 0x%x", device.name(), first + 4096);
      device.free(first, 4096);
      device.free(second, 4096);
    }
  }

  @Test
  void allocate_afterFree_givesNoAddressTwice() {
    try (OpenClDevice device = open()) {
      List<Long> addresses = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        long address = device.allocate(256L << i).orElseThrow();
        addresses.add(address);
        device.free(address, 256L << i);
      }
      assertThat(addresses).doesNotHaveDuplicates().isSorted();
    }
  }

  @Test
  void allocateStaging_unfit_isRejected() {
    try (OpenClDevice device = open()) {
      Arena arena = Arena.ofConfined();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.allocateStaging(-1, arena))
          .withMessage("bytes of staging memory must not be negative: bytes=-1");
      arena.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> device.allocateStaging(100, arena))
          .withMessage("Already closed");
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.allocateStaging(1L << 60, Arena.ofAuto()))
          .withMessageEndingWith(
              ": clCreateBuffer of 1152921504606846976 bytes failed: CL_INVALID_BUFFER_SIZE (-61)");
    }
  }

  @Test
  void queue_ofAStream_isAHandleUntilItIsClosed() {
    try (OpenClDevice device = open()) {
      OpenClStream stream = device.openStream();
      assertThat(stream.queue()).isNotZero();
      stream.close();
      assertThatIllegalStateException()
          .isThrownBy(stream::queue)
          .withMessage("a stream of device '%s' is closed", device.name());
    }
  }

  @Test
  void synchronize_manyCommands_keepsNoneOfThem() {
    try (OpenClDevice device = open();
        OpenClStream stream = device.openStream()) {
      long address = device.allocate(4096).orElseThrow();
      for (int i = 0; i < 2000; i++) {
        stream.fill(address, 4096, (byte) i);
      }
      stream.synchronize();
      assertThat(stream.pendingCount()).isZero();
      byte[] one = new byte[1];
      device.copyToHost(address + 4095, MemorySegment.ofArray(one));
      assertThat(one[0]).isEqualTo((byte) 1999);
      device.free(address, 4096);
    }
  }
}
