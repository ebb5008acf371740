package dev.stowage.trace.pytorch;

import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A memory snapshot of PyTorch ({@code torch.cuda.memory._snapshot}). */
public final class MemorySnapshot {

  private final SortedMap<Integer, DeviceSnapshot> devices;

  /**
   * Creates a snapshot.
   *
   * @param devices the devices, each with another index
   */
  public MemorySnapshot(Collection<DeviceSnapshot> devices) {
    SortedMap<Integer, DeviceSnapshot> byIndex = new TreeMap<>();
    devices.forEach(device -> byIndex.put(device.index(), device));
    this.devices = Collections.unmodifiableSortedMap(byIndex);
  }

  /** {@return the devices by ascending index} */
  public Collection<DeviceSnapshot> devices() {
    return devices.values();
  }

  /**
   * {@return a device; empty if the snapshot has neither a history nor a segment of it}
   *
   * @param index the index of the device
   */
  public Optional<DeviceSnapshot> device(int index) {
    return Optional.ofNullable(devices.get(index));
  }
}
