/**
 * Replays of recordings of Netty's allocators for direct buffers in processes with a real Netty.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>{@link ChildNetty} writes the operations of a recording to a file and starts a process with
 *       the {@link NettyJars} of a version. {@link BufferReplay} is its main class. It has one
 *       thread for each recorded thread, and records its calls and the events of Netty's chunks.
 *       They come back as a {@link NettyRun}. Only {@link BufferReplay} uses classes of Netty,
 *       because the command itself runs without Netty.
 *   <li>{@link NettyAllocator} walks through the run while a replay passes its events, so that all
 *       figures and pages have the real chunks.
 *   <li>The recorded settings run first. Their {@link NettyAgreement} with the recording shows how
 *       exact the figures of all other {@link NettySettings} are.
 * </ul>
 */
package dev.stowage.cli.netty;
