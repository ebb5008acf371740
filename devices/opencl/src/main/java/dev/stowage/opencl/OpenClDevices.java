package dev.stowage.opencl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The devices of OpenCL of this machine, or the reason why it has none. */
public final class OpenClDevices {

  private static final String REMEDY =
      "; install one's driver, or one that computes on the CPU, such as Debian's pocl-opencl-icd";

  private final Optional<OpenCl> library;
  private final List<Found> found;
  private final Optional<String> absence;

  /** A device with its handles. */
  record Found(long platform, long device, OpenClDeviceInfo info) {}

  private OpenClDevices(Optional<OpenCl> library, List<Found> found, Optional<String> absence) {
    this.library = library;
    this.found = found;
    this.absence = absence;
  }

  /**
   * {@return the present devices; none of them is opened}
   *
   * <p>The first call of a process can take a second, because it loads drivers.
   *
   * @throws IllegalCallerException if the module has no native access
   * @throws dev.stowage.memory.device.DeviceException if a call of the driver fails
   */
  public static OpenClDevices find() {
    return find(OpenCl.names());
  }

  static OpenClDevices find(List<String> libraryNames) {
    Optional<OpenCl> library =
        libraryNames.stream().flatMap(name -> OpenCl.load(name).stream()).findFirst();
    if (library.isEmpty()) {
      return none(
          String.format(
              Locale.ROOT,
              "there is no OpenCL 1.2 library: %s; install its loader, such as Debian's ocl-icd-libopencl1, and a driver, such as pocl-opencl-icd",
              String.join(", ", libraryNames)));
    }
    PlatformFunctions functions = library.get().platforms();
    List<Long> platforms = functions.platforms();
    if (platforms.isEmpty()) {
      return none("OpenCL has no platform here" + REMEDY);
    }
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < platforms.size(); i++) {
      List<Long> devices = functions.devices(platforms.get(i));
      for (int j = 0; j < devices.size(); j++) {
        OpenClDeviceInfo info = info(functions, i, platforms.get(i), j, devices.get(j));
        found.add(new Found(platforms.get(i), devices.get(j), info));
      }
    }
    if (found.isEmpty()) {
      return none("no platform of OpenCL has a device here" + REMEDY);
    }
    return new OpenClDevices(library, List.copyOf(found), Optional.empty());
  }

  private static OpenClDevices none(String why) {
    return new OpenClDevices(Optional.empty(), List.of(), Optional.of(why));
  }

  private static OpenClDeviceInfo info(
      PlatformFunctions functions, int platformIndex, long platform, int deviceIndex, long device) {
    return new OpenClDeviceInfo(
        platformIndex,
        deviceIndex,
        functions.platformName(platform),
        functions.deviceName(device),
        functions.deviceVersion(device),
        functions.totalBytes(device),
        functions.maxAllocationBytes(device),
        Math.max(256, Long.highestOneBit(functions.alignmentBytes(device))));
  }

  /** {@return the devices by platform; none if there is an {@link #absence}} */
  public List<OpenClDeviceInfo> list() {
    return found.stream().map(Found::info).toList();
  }

  /** {@return the reason why there is no device, with a remedy; empty if there is one} */
  public Optional<String> absence() {
    return absence;
  }

  /**
   * {@return an open device}
   *
   * @param info an element of {@link #list}
   * @throws IllegalArgumentException if this machine has no such device
   * @throws dev.stowage.memory.device.DeviceException if a call of the driver fails
   */
  public OpenClDevice open(OpenClDeviceInfo info) {
    return OpenClDevice.alone(library(info), find(info));
  }

  /**
   * {@return open devices with one context, in the order of their descriptions}
   *
   * <p>The driver copies directly between them: {@link OpenClDevice#canCopyFrom} is true. The
   * devices must be of one platform. One that is named twice is opened twice. They are closed one
   * by one.
   *
   * @param infos elements of {@link #list}
   * @throws IllegalArgumentException if there is none, this machine has no such device, or the
   *     devices are of different platforms
   * @throws dev.stowage.memory.device.DeviceException if a call of the driver fails
   */
  public List<OpenClDevice> openTogether(List<OpenClDeviceInfo> infos) {
    if (infos.isEmpty()) {
      throw new IllegalArgumentException("at least one device is needed: infos=[]");
    }
    OpenClDeviceInfo first = infos.getFirst();
    for (OpenClDeviceInfo info : infos) {
      if (find(info).platform() != find(first).platform()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "devices of different platforms cannot be opened together: %s, %s; use open for each of them",
                first,
                info));
      }
    }
    return OpenClDevice.together(library(first), infos.stream().map(this::find).toList());
  }

  private OpenCl library(OpenClDeviceInfo info) {
    return library.orElseThrow(() -> noSuchDevice(info));
  }

  private Found find(OpenClDeviceInfo info) {
    return found.stream()
        .filter(each -> each.info().isSameDevice(info))
        .findFirst()
        .orElseThrow(() -> noSuchDevice(info));
  }

  private static IllegalArgumentException noSuchDevice(OpenClDeviceInfo info) {
    return new IllegalArgumentException("this machine has no such device: info=" + info);
  }
}
