package dev.stowage.cli.netty;

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The start of an operation in a recording of the process that replays buffers. */
@Name(StepEvent.NAME)
@StackTrace(false)
final class StepEvent extends Event {

  static final String NAME = "dev.stowage.NettyStep";

  int step;
}
