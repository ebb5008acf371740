package dev.stowage.opencl;

/**
 * The buffer behind a device address.
 *
 * @param memory the cl_mem of the buffer
 * @param offsetBytes the offset of the address in the buffer
 */
public record OpenClBuffer(long memory, long offsetBytes) {}
