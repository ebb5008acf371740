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
 * @param found those that can be used
 * @param missing those that were looked for in vain
 */
public record DeviceList(List<FoundDevice> found, List<MissingDevice> missing) {

  /** A list. */
  public DeviceList {
    found = List.copyOf(found);
    missing = List.copyOf(missing);
  }

  /** {@return what there is now; each device is opened for it, which takes up to seconds} */
  public static DeviceList find() {
    Search search = new Search();
    search.open("host", "memory", HostMemory::open);
    search.look("OpenCL", DeviceList::openCl);
    search.look("CUDA", DeviceList::cuda);
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

  /** What has been found so far. */
  private static final class Search {

    private final List<FoundDevice> found = new ArrayList<>();
    private final List<MissingDevice> missing = new ArrayList<>();

    /** Something to look for, which says why it is not there. */
    @FunctionalInterface
    interface Kind {
      Optional<String> addTo(Search search);
    }

    void look(String kind, Kind devices) {
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
