/**
 * Devices of OpenCL with their memory, queues and kernels.
 *
 * <p>{@link dev.stowage.opencl.OpenClDevices} lists the devices, or the reason why there are none.
 */
package dev.stowage.opencl;
