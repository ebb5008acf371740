/**
 * Small allocations in slabs: chunks of a {@link dev.stowage.allocator.BfcAllocator} that are
 * divided into slots of one size. The module exports this package to {@code dev.stowage.memory}
 * only.
 *
 * <p>The slabs are divided into the stripes of the front cache ({@link Stripe}), each with a lock,
 * so that threads seldom meet. No thread calls the allocator, a listener or a device while it holds
 * a stripe.
 *
 * <ul>
 *   <li>Stripes and slabs start with unused fields. Without these, the collector may move objects
 *       of two threads into one cache line, and the two threads then take three times as long.
 *   <li>An {@link AllocationGroup} is the owner of slots and chunks itself, such as an arena of a
 *       pool, because 100 bytes of the heap take as long as a section of the lock. All slots of a
 *       group are in one stripe. An arena with small allocations therefore needs two sections: one
 *       registers it and takes the first slot, one frees all slots and removes it.
 *   <li>{@link GroupList} avoids references from old objects to young ones, for each of which the
 *       collector G1 needs a fence of 10 ns.
 *   <li>Each request of a pool in debug mode, or with a listener or stacks, needs a chunk of its
 *       own. Such pools have no slabs.
 * </ul>
 *
 * <p>Invariants: S1 and S2 in {@link Slab}, S3 to S5 in {@link Stripe}. S7: each slab is a chunk of
 * its own, and the allocator has no other slabs ({@link SlabAllocator}).
 */
package dev.stowage.allocator.slab;
