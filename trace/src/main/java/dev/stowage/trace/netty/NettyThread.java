package dev.stowage.trace.netty;

/**
 * A thread of a program.
 *
 * @param id its number in the virtual machine
 * @param isEventLoop true if allocators have memory for this thread alone
 */
record NettyThread(long id, boolean isEventLoop) {}
