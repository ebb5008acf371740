/**
 * Explains who holds memory at a moment of a trace, why requests failed and what keeps regions from
 * being released, and compares the memory of two traces.
 *
 * <h2>For maintainers</h2>
 *
 * <p>An {@link ExplainedReplay} keeps the events in {@link TraceColumns} while they are replayed,
 * and replays them again up to the peak and up to the worst failure. There, {@link Holders} groups
 * the live allocations, and a {@link MemoryMap} has the holes and the pinned regions. A {@link
 * TraceDiff} needs no allocator: it compares the {@link Holders} of two traces.
 */
package dev.stowage.trace.explain;
