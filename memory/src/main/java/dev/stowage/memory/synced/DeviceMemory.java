package dev.stowage.memory.synced;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.memory.device.Device;

/**
 * A device and the allocator of its memory for buffers.
 *
 * @param device the device
 * @param allocator an allocator over the regions of the device
 */
public record DeviceMemory(Device device, BfcAllocator allocator) {}
