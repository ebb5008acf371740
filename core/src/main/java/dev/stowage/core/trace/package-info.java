/**
 * Histories of allocations and frees: read from files, and replayed by an allocator on a simulated
 * device.
 *
 * <p>A {@link dev.stowage.core.trace.TraceReader} gives {@link
 * dev.stowage.core.trace.AllocationEvent}s one by one, whatever a file's format; a {@link
 * dev.stowage.core.trace.TraceReplay} takes them. Events that cannot have happened never leave the
 * reader.
 */
package dev.stowage.core.trace;
