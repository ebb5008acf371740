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

  /**
   * {@return the devices of this machine}
   *
   * <p>The method opens each device. That may take seconds.
   */
  public static DeviceList find() {
    DeviceList devices = new DeviceList(new ArrayList<>(), new ArrayList<>());
    devices.open("host", "memory", HostMemory::open);
    devices.add(
        "OpenCL",
        () -> {
          OpenClDevices all = OpenClDevices.find();
          all.list().forEach(info -> devices.open("OpenCL", info.name(), () -> all.open(info)));
          return all.absence();
        });
    devices.add(
        "CUDA",
        () -> {
          CudaDevices all = CudaDevices.find();
          all.list()
              .forEach(
                  info -> devices.open("CUDA", info.name(), () -> CudaDevice.open(info.ordinal())));
          return all.absence();
        });
    return devices;
  }

  /** Adds the devices of a kind; the supplier returns the reason if there are none. */
  private void add(String kind, Supplier<Optional<String>> devices) {
    try {
      devices.get().ifPresent(why -> missing.add(new MissingDevice(kind, why)));
    } catch (DeviceException e) {
      missing.add(new MissingDevice(kind, String.valueOf(e.getMessage())));
    }
  }

  private void open(String kind, String name, Supplier<? extends Device> opener) {
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
