/**
 * Devices of OpenCL with their memory, queues and kernels.
 *
 * <p>{@link OpenClDevices} lists the devices, or the reason why there are none.
 *
 * <h2>For maintainers</h2>
 *
 * <p>A region is a buffer of OpenCL at addresses that Stowage assigns. A copy uses a buffer and an
 * offset, but an argument of a kernel is a sub-buffer. Allocations therefore have the alignment
 * that kernels require ({@code Device.kernelAlignmentBytes()}), even if regions consist of pages.
 * {@link OpenClDevice} explains its locks, and {@link HostCopies} and {@link QueuedCopies} their
 * ways to copy. Only the OpenCL loader is called, by the functions in {@link PlatformFunctions},
 * {@link BufferFunctions}, {@link QueueFunctions} and {@link ProgramFunctions}.
 */
package dev.stowage.opencl;
