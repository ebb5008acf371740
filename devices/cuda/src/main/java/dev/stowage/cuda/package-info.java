/**
 * Devices of the CUDA driver API.
 *
 * <p>{@link CudaDevices} lists the devices, and {@link CudaDevice} opens one.
 *
 * <h2>For maintainers</h2>
 *
 * <p>Regions are allocated ({@link AllocatedRegions}), mapped piece by piece so that they can grow
 * ({@link VirtualRegions}), or unified memory that the host can address. Heap segments are copied
 * through pinned memory ({@link StagedCopies}). Only the driver is called, by {@link CudaDriver}.
 * Most tests use a stand-in for its library ({@code standin} in the tests), so that they need no
 * GPU; {@code GpuCheck} runs the contract on a GPU.
 */
package dev.stowage.cuda;
