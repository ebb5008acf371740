package dev.stowage.memory.synced;

import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.memory.device.Device;

/**
 * A device, and the allocator that buffers take its memory from.
 *
 * @param device what copies and fills
 * @param allocator what allocates: over regions of this device
 */
public record DeviceMemory(Device device, BfcAllocator allocator) {}
