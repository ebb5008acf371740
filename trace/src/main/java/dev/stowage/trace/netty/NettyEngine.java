package dev.stowage.trace.netty;

import dev.stowage.trace.format.RecordedProgram;

/** Runs the operations of recorded programs in a real Netty. */
public interface NettyEngine {

  /**
   * {@return the result of a run in a process of its own}
   *
   * @param program the program
   * @param settings all arguments of the process
   * @throws NettyRunException if there is no such version, or if the process ends early
   */
  NettyRun run(RecordedProgram program, NettySettings settings);

  /**
   * {@return true if the version of Netty for a program reads a property}
   *
   * @param program the program
   * @param property the name of the property
   */
  boolean knows(RecordedProgram program, String property);
}
