/**
 * Devices: memory in regions, what copies and fills ranges of it, and queues of such work.
 *
 * <p>{@link dev.stowage.memory.device.HostMemory} is the machine's own memory; {@link
 * dev.stowage.memory.device.SimulatedDevice} is for tests.
 */
package dev.stowage.memory.device;
