package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The CUDA devices of this machine, or the reason why it has none. */
public final class CudaDevices {

  private static final int NAME_BYTES = 256;

  private final List<CudaDeviceInfo> list;
  private final Optional<String> absence;

  private CudaDevices(List<CudaDeviceInfo> list, Optional<String> absence) {
    this.list = List.copyOf(list);
    this.absence = absence;
  }

  /**
   * {@return the present devices; none of them is opened}
   *
   * <p>The first call of a process can take seconds, because the driver starts.
   *
   * @throws DeviceException if the driver starts, but a call that describes its devices fails
   * @throws IllegalCallerException if the module has no native access
   */
  public static CudaDevices find() {
    return find(CudaLibrary.INSTALLED);
  }

  /** {@return the devices of the driver in a library} */
  static CudaDevices find(CudaLibrary library) {
    try {
      return new CudaDevices(infos(started(library)), Optional.empty());
    } catch (NoCudaException e) {
      return new CudaDevices(List.of(), Optional.of(e.reason()));
    }
  }

  /** {@return the devices by ordinal; none if there is an {@link #absence}} */
  public List<CudaDeviceInfo> list() {
    return list;
  }

  /** {@return the reason why there is no device; empty if there is one} */
  public Optional<String> absence() {
    return absence;
  }

  /** {@return a driver with at least one device} */
  static CudaDriver started(CudaLibrary library) throws NoCudaException {
    CudaDriver driver = CudaDriver.load(library);
    int code = CudaDriver.code(results -> driver.init(0), MemorySegment.NULL);
    if (code == CudaDriver.NO_DEVICE || (code == CudaDriver.SUCCESS && count(driver) == 0)) {
      throw new NoCudaException(
          "the CUDA driver has no device; check nvidia-smi and CUDA_VISIBLE_DEVICES");
    }
    if (code != CudaDriver.SUCCESS) {
      throw new NoCudaException(
          "the CUDA driver does not start: " + driver.failure("cuInit", code).getMessage());
    }
    return driver;
  }

  private static int count(CudaDriver driver) {
    return (int) driver.result("cuDeviceGetCount", driver::deviceGetCount);
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
   * {@return the description of a device}
   *
   * @throws IllegalArgumentException if there is no device of that number
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
        driver.result(
            "cuDeviceTotalMem of device " + ordinal,
            results -> driver.deviceTotalMem(results, device));
    return new CudaDeviceInfo(ordinal, name(driver, ordinal, device), totalBytes);
  }

  /** {@return the handle of a device for the functions of the driver} */
  static int handle(CudaDriver driver, int ordinal) {
    return (int)
        driver.result(
            "cuDeviceGet of device " + ordinal, results -> driver.deviceGet(results, ordinal));
  }

  private static String name(CudaDriver driver, int ordinal, int device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(NAME_BYTES, JAVA_INT.byteAlignment());
      driver.result(
          "cuDeviceGetName of device " + ordinal,
          results -> driver.deviceGetName(name, NAME_BYTES, device));
      return name.getString(0);
    }
  }
}
