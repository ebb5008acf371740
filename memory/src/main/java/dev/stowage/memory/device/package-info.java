/**
 * Devices: memory in regions, operations that copy and fill ranges of it, and queues of such
 * operations.
 *
 * <p>{@link dev.stowage.memory.device.HostMemory} is the machine's own memory. For tests, the
 * artifact {@code stowage-testkit} has a simulated device.
 */
package dev.stowage.memory.device;
