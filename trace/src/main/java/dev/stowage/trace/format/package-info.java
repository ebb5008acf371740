/**
 * Reads histories of allocations and frees from files.
 *
 * <p>A {@link TraceReader} passes {@link AllocationEvent}s of any format to an {@link
 * EventConsumer}. It never passes impossible events.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>{@link TraceContent} removes the compression of a file and yields bytes or lines. The first
 *       bytes decide the {@link TraceFormat}. If a program reuses addresses, {@link KeyedEvents}
 *       numbers the allocations. {@link CheckedEvents} passes on only events that can have
 *       happened, so that an {@link EventConsumer} needs no further checks.
 *   <li>{@link JfrRecording} and {@link NettyRecording} read a file twice, because a recording has
 *       only the frees of older memory. A bounded queue sorts the events of several threads by time
 *       ({@link OrderedJfrEvents}).
 *   <li>{@link XlaLogReader} passes on the requests of a log ({@link XlaRequests}) or, if it has
 *       none, the memory of its first report ({@link XlaReports}).
 * </ul>
 */
package dev.stowage.trace.format;
