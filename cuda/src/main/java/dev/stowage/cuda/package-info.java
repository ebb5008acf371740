/**
 * A device over the CUDA driver API.
 *
 * <p>{@link dev.stowage.cuda.CudaDevices} says what there is, {@link dev.stowage.cuda.CudaDevice}
 * opens it.
 */
package dev.stowage.cuda;
