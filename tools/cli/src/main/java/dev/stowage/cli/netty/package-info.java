/**
 * Replays of recordings of Netty's allocators for direct buffers in processes with a real Netty.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>{@link ChildNetty} writes the operations of a recording to a file and starts a process with
 *       the {@link NettyJars} of a version. {@link NettyProcess} is its main class: a {@link
 *       BufferReplay} has one thread for each recorded one. It records the calls beside the events
 *       of Netty's chunks, which come back as a {@link NettyRun}. Only these two classes name
 *       Netty, which is on no path of the command itself.
 *   <li>{@link NettyAllocator} walks through the run while a replay passes its events, so that all
 *       figures and pages have the real chunks.
 *   <li>The recorded settings run first: their {@link NettyAgreement} with the recording is the
 *       width of the figures of all other {@link NettySettings}.
 * </ul>
 */
package dev.stowage.cli.netty;
