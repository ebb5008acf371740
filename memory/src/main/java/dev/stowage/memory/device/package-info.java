/**
 * Devices: memory in regions, operations that copy and fill ranges of it, and queues of such
 * operations.
 *
 * <p>{@link HostMemory} is the machine's own memory. For tests, the artifact {@code
 * stowage-testkit} has a simulated device, and the contract that all devices fulfil, as tests.
 *
 * <h2>For maintainers</h2>
 *
 * <p>Regions of {@link HostMemory} are mapped, committed as they grow, and returned ({@link
 * MappedRegions}); on systems without such mappings, they come from malloc ({@link
 * MallocedRegions}). Devices copy from each other directly if their driver can do so, otherwise in
 * pieces through the host ({@link CopyThroughHost}).
 */
package dev.stowage.memory.device;
