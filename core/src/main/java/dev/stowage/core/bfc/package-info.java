/**
 * Allocates and frees memory while a model runs: best fit with coalescing over the regions of a
 * device, as TensorFlow's BFC allocator.
 *
 * <p>Nothing here touches a byte. A {@link dev.stowage.core.bfc.SubAllocator} gives regions, which
 * are ranges of addresses; a {@link dev.stowage.core.bfc.BfcAllocator} answers requests with
 * addresses in them. What lies at an address is the caller's business.
 */
package dev.stowage.core.bfc;
