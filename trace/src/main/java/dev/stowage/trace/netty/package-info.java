/**
 * Replays recordings of Netty's allocators for direct buffers in a real Netty.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>A {@link NettyEngine}, which the command line implements, runs the operations of a
 *       recording in a process with Netty and returns a {@link NettyRun}. This module starts no
 *       processes and does not know Netty.
 *   <li>{@link NettyAllocator} walks through the run while a replay passes its events, so that all
 *       figures and pages have the real chunks.
 *   <li>The recorded settings run first: their {@link NettyAgreement} with the recording is the
 *       width of the figures of all other {@link NettySettings}.
 * </ul>
 */
package dev.stowage.trace.netty;
