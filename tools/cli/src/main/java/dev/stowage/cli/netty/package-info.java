/**
 * Runs of recordings of Netty in processes with a real Netty.
 *
 * <p>{@link ChildNetty} writes the operations of a recording to a file and starts a process with
 * the {@link NettyJars} of a version. {@link NettyProcess} is its main class: a {@link
 * BufferReplay} has one thread for each recorded one, and the events of Netty's chunks come back
 * with the numbers of the operations. Only these two classes name Netty, which is on no path of the
 * command itself.
 */
package dev.stowage.cli.netty;
