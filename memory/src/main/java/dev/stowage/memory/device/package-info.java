/**
 * Memory of a device, in regions: host memory from the operating system.
 *
 * <p>{@link dev.stowage.memory.device.HostMemory} gives the regions that an allocator lives on.
 */
package dev.stowage.memory.device;
