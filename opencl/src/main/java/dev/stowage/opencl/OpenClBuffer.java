package dev.stowage.opencl;

/**
 * Where an address lies.
 *
 * @param memory the buffer's cl_mem
 * @param offsetBytes how far from its start
 */
public record OpenClBuffer(long memory, long offsetBytes) {}
