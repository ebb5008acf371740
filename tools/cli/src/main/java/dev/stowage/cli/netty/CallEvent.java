package dev.stowage.cli.netty;

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An allocation or a free in the recording of a process with Netty, after it ended. */
@Name(CallEvent.NAME)
@StackTrace(false)
final class CallEvent extends Event {

  static final String NAME = "dev.stowage.NettyCall";

  /** The address of an allocated buffer, or -1 if it was refused. */
  long address;

  /** The address of its chunk; 0 if only the events of chunks have it. */
  long chunk;

  /**
   * The bytes of the buffer after rounding; for a refused buffer, the bytes of the chunk it needs.
   */
  long bytes;
}
