package dev.stowage.trace.format;

import java.util.List;

/**
 * An event of Netty's allocators, or a fact about the program.
 *
 * @param kind the kind
 * @param allocator the class of the allocator; for a fact, its name or text
 * @param address the address of the buffer or chunk
 * @param bytes the capacity of the buffer or chunk; for a fact, its value
 * @param thread the number of the thread
 * @param isVirtual true if the thread is a virtual one
 * @param isOfThread true if a buffer or chunk lies in memory of its thread alone
 * @param nanos the time
 * @param frames the frames of the caller, the innermost first
 */
record NettyEvent(
    Kind kind,
    String allocator,
    long address,
    long bytes,
    long thread,
    boolean isVirtual,
    boolean isOfThread,
    long nanos,
    List<String> frames) {

  /** The kind of an event. */
  enum Kind {
    /** A buffer got memory. */
    ALLOCATED,
    /** A buffer gets other memory: the next allocation of the thread is the new memory. */
    REALLOCATED,
    /** The memory of a buffer was freed. */
    FREED,
    /** The allocator got a chunk. */
    CHUNK_ADDED,
    /** The allocator gave a chunk back. */
    CHUNK_REMOVED,
    /** A buffer in the heap got memory, which has no address. */
    HEAP_BUFFER,
    /** A thread ended. */
    THREAD_ENDED,
    /** A fact about the program. */
    FACT
  }
}
