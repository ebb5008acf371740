/**
 * Allocates and frees memory while a model runs: best fit with coalescing over the regions of a
 * device, as in TensorFlow's BFC allocator.
 *
 * <p>This package never touches memory. A {@link dev.stowage.allocator.SubAllocator} provides
 * regions, which are ranges of addresses. A {@link dev.stowage.allocator.BfcAllocator} returns
 * addresses in them. Their callers access the memory.
 */
package dev.stowage.allocator;
