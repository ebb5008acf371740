package dev.stowage.trace.netty;

import dev.stowage.trace.format.RecordedProgram;

/**
 * The smallest limit of direct memory with which all requests of a program pass, found by runs with
 * it: the pooled allocator has fewer arenas under a limit.
 *
 * @param bytes the limit
 * @param chunkBytes the bytes of a chunk; with a limit that is smaller by as many, requests fail
 */
public record NettyLimit(long bytes, long chunkBytes) {

  /** The number of runs in each direction. */
  private static final int MOST_RUNS = 8;

  /**
   * {@return the smallest limit}
   *
   * @param engine runs Netty
   * @param program the program
   * @param settings the settings, without a limit
   */
  public static NettyLimit find(
      NettyEngine engine, RecordedProgram program, NettySettings settings) {
    NettySettings all = settings.onMachineOf(NettySettings.recorded(program));
    NettyRun free = engine.run(program, all);
    long chunkBytes = free.peakChunkBytes();
    long bytes = free.peakBytes();
    int runs = 0;
    while (!passes(engine, program, all, bytes) && runs++ < MOST_RUNS) {
      bytes += chunkBytes;
    }
    while (runs++ < MOST_RUNS
        && bytes > chunkBytes
        && passes(engine, program, all, bytes - chunkBytes)) {
      bytes -= chunkBytes;
    }
    return new NettyLimit(bytes, chunkBytes);
  }

  private static boolean passes(
      NettyEngine engine, RecordedProgram program, NettySettings settings, long bytes) {
    return engine.run(program, settings.withLimit(bytes)).refusedCount() == 0;
  }
}
