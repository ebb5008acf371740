package dev.stowage.trace.format;

import java.util.OptionalLong;
import java.util.Set;

/**
 * The facts about a recorded program that decide how its allocator works.
 *
 * @param settings the arguments of the program that the allocator reads, separated by blanks
 * @param cachingStreams the streams of events for which the allocator keeps memory of their own
 * @param peakReservedBytes the most bytes that the allocator held at any time, if they are known
 */
public record RecordedProgram(
    String settings, Set<Long> cachingStreams, OptionalLong peakReservedBytes) {

  /** Creates the facts. */
  public RecordedProgram {
    cachingStreams = Set.copyOf(cachingStreams);
  }
}
