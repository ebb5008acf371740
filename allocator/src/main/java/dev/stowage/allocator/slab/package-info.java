/**
 * Small allocations in slabs: chunks of a {@link dev.stowage.allocator.BfcAllocator} that are
 * divided into slots of one size.
 */
package dev.stowage.allocator.slab;
