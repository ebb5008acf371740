/**
 * Devices of the CUDA driver API.
 *
 * <p>{@link dev.stowage.cuda.CudaDevices} lists the devices, and {@link
 * dev.stowage.cuda.CudaDevice} opens one.
 */
package dev.stowage.cuda;
