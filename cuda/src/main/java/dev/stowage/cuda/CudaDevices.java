package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The CUDA devices of this machine, or why there are none.
 *
 * @param devices by ordinal
 * @param absence why there are none, in a sentence; empty if there are some
 */
public record CudaDevices(List<CudaDeviceInfo> devices, Optional<String> absence) {

  private static final int NAME_BYTES = 256;

  /** The devices in a list of its own. */
  public CudaDevices {
    devices = List.copyOf(devices);
  }

  /**
   * {@return what there is now}
   *
   * <p>It takes as long as the driver takes to start, up to seconds the first time; no device is
   * opened.
   *
   * @throws DeviceException if the driver starts, but does not know its devices
   * @throws IllegalCallerException if the module has no native access
   */
  public static CudaDevices list() {
    return list(CudaDriver.LIBRARY);
  }

  /** {@return what the driver in a library knows} */
  static CudaDevices list(String library) {
    try {
      return new CudaDevices(infos(started(library)), Optional.empty());
    } catch (NoCudaException e) {
      return new CudaDevices(List.of(), Optional.of(e.reason()));
    }
  }

  /** {@return a driver that knows at least one device} */
  static CudaDriver started(String library) throws NoCudaException {
    CudaDriver driver = CudaDriver.load(library);
    int code = CudaDriver.code(answers -> driver.init(0), MemorySegment.NULL);
    if (code == CudaDriver.NO_DEVICE || (code == CudaDriver.SUCCESS && count(driver) == 0)) {
      throw new NoCudaException("there is a CUDA driver, but no device that it knows");
    }
    if (code != CudaDriver.SUCCESS) {
      throw new NoCudaException(
          "the CUDA driver does not start: " + driver.failure("cuInit", code).getMessage());
    }
    return driver;
  }

  private static int count(CudaDriver driver) {
    return (int) driver.answer("cuDeviceGetCount", driver::deviceGetCount);
  }

  private static List<CudaDeviceInfo> infos(CudaDriver driver) {
    List<CudaDeviceInfo> infos = new ArrayList<>();
    int count = count(driver);
    for (int ordinal = 0; ordinal < count; ordinal++) {
      infos.add(info(driver, ordinal));
    }
    return infos;
  }

  /**
   * {@return what the driver knows of a device}
   *
   * @throws IllegalArgumentException if there is none of that number
   */
  static CudaDeviceInfo info(CudaDriver driver, int ordinal) {
    int count = count(driver);
    if (ordinal < 0 || ordinal >= count) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "there is no such CUDA device: ordinal=%d, devices=%d", ordinal, count));
    }
    int device = handle(driver, ordinal);
    long totalBytes =
        driver.answer(
            "cuDeviceTotalMem of device " + ordinal,
            answers -> driver.deviceTotalMem(answers, device));
    return new CudaDeviceInfo(ordinal, name(driver, ordinal, device), totalBytes);
  }

  /** {@return what the driver's functions know a device by} */
  static int handle(CudaDriver driver, int ordinal) {
    return (int)
        driver.answer(
            "cuDeviceGet of device " + ordinal, answers -> driver.deviceGet(answers, ordinal));
  }

  private static String name(CudaDriver driver, int ordinal, int device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(NAME_BYTES, JAVA_INT.byteAlignment());
      driver.answer(
          "cuDeviceGetName of device " + ordinal,
          answers -> driver.deviceGetName(name, NAME_BYTES, device));
      return name.getString(0);
    }
  }
}
