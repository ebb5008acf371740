package dev.stowage.cli.devices;

import dev.stowage.cuda.CudaDevice;
import dev.stowage.cuda.CudaDevices;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.opencl.OpenClDevices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The devices of this machine.
 *
 * @param found the usable devices
 * @param missing the kinds and devices that are missing or not usable
 */
public record DeviceList(List<FoundDevice> found, List<MissingDevice> missing) {

  /** A usable device: its kind (host, OpenCL or CUDA), and its properties from the driver. */
  public record FoundDevice(
      String kind, String name, long totalBytes, long availableBytes, long alignmentBytes) {}

  /**
   * A kind of devices without devices, or a device that is not usable.
   *
   * @param kind OpenCL or CUDA, and the name of the device if it has one
   * @param reason the reason, in a sentence
   */
  public record MissingDevice(String kind, String reason) {}

  public DeviceList {
    found = List.copyOf(found);
    missing = List.copyOf(missing);
  }

  /** {@return the devices of this machine; opens each device, which may take seconds} */
  public static DeviceList find() {
    Search search = new Search();
    search.open("host", "memory", HostMemory::open);
    search.add("OpenCL", DeviceList::openCl);
    search.add("CUDA", DeviceList::cuda);
    return new DeviceList(search.found, search.missing);
  }

  private static Optional<String> openCl(Search search) {
    OpenClDevices devices = OpenClDevices.find();
    devices.list().forEach(info -> search.open("OpenCL", info.name(), () -> devices.open(info)));
    return devices.absence();
  }

  private static Optional<String> cuda(Search search) {
    CudaDevices devices = CudaDevices.find();
    devices
        .list()
        .forEach(info -> search.open("CUDA", info.name(), () -> CudaDevice.open(info.ordinal())));
    return devices.absence();
  }

  /** The devices found so far. */
  private static final class Search {

    private final List<FoundDevice> found = new ArrayList<>();
    private final List<MissingDevice> missing = new ArrayList<>();

    /** A kind of devices: adds its devices and returns the reason if there are none. */
    @FunctionalInterface
    interface Kind {
      Optional<String> addTo(Search search);
    }

    void add(String kind, Kind devices) {
      try {
        devices.addTo(this).ifPresent(why -> missing.add(new MissingDevice(kind, why)));
      } catch (DeviceException e) {
        missing.add(new MissingDevice(kind, String.valueOf(e.getMessage())));
      }
    }

    void open(String kind, String name, Supplier<? extends Device> opener) {
      try (Device device = opener.get()) {
        found.add(
            new FoundDevice(
                kind,
                device.name(),
                device.totalBytes(),
                device.availableBytes(),
                device.alignmentBytes()));
      } catch (DeviceException e) {
        missing.add(new MissingDevice(kind + " " + name, String.valueOf(e.getMessage())));
      }
    }
  }
}
