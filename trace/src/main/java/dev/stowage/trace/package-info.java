/**
 * Reads histories of allocations and frees from files, and replays them on a simulated device.
 *
 * <p>A {@link dev.stowage.trace.TraceReader} passes {@link dev.stowage.trace.AllocationEvent}s of
 * any format to a consumer, such as a {@link dev.stowage.trace.TraceReplay}. It never passes
 * impossible events.
 */
package dev.stowage.trace;
