/**
 * Reads histories of allocations and frees from files, and replays them on a simulated device.
 *
 * <p>A {@link TraceReader} passes {@link AllocationEvent}s of any format to a consumer, such as a
 * {@link TraceReplay}. It never passes impossible events.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>{@link TraceContent} removes the compression of a file and yields bytes or lines. The first
 *       bytes decide the {@link TraceFormat}. If a program reuses addresses, {@link KeyedEvents}
 *       numbers the allocations. {@link CheckedEvents} passes on only events that can have
 *       happened, so that an {@link EventConsumer} needs no further checks.
 *   <li>{@link JfrRecording} reads a file twice, because a recording has only the frees of older
 *       memory. A bounded queue sorts the events of several threads by time ({@link
 *       JfrOperations}).
 *   <li>{@link TraceReplay} calls a {@code replay.SimulatedAllocator}, which {@code
 *       replay.AllocatorRules} start. For a snapshot of PyTorch, a {@link RecordingCursor} passes
 *       the recorded segments to it.
 *   <li>If a request fails, {@link AdviceSearch} replays the history with other options until no
 *       request fails, and returns a {@link ReplayAdvice}.
 *   <li>{@link SnapshotExport} writes a replay as a snapshot of PyTorch: it passes each event to
 *       the replay, compares the segments if the allocator has called the device, and gives the
 *       entries to a writer. {@link AllocatorSnapshot} writes the chunks of an allocator in use.
 * </ul>
 */
package dev.stowage.trace;
