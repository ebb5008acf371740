/**
 * Devices of OpenCL: their memory, their queues, and kernels on it.
 *
 * <p>{@link dev.stowage.opencl.OpenClDevices} finds them, or says why there are none.
 */
package dev.stowage.opencl;
