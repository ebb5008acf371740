/**
 * Small allocations in slabs: chunks of a {@link dev.stowage.core.bfc.BfcAllocator} that are
 * divided into slots of one size.
 */
package dev.stowage.core.slab;
