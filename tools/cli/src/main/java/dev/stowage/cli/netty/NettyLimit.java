package dev.stowage.cli.netty;

import dev.stowage.trace.format.RecordedProgram;

/**
 * A limit of direct memory.
 *
 * @param bytes the limit
 * @param chunkBytes the bytes of a chunk, by which the limit could be smaller
 */
public record NettyLimit(long bytes, long chunkBytes) {

  /** The number of runs in each direction. */
  private static final int MOST_RUNS = 8;

  /**
   * {@return the smallest limit with which all requests of a program pass, found by runs with it:
   * the pooled allocator has fewer arenas under a limit}
   *
   * @param engine runs Netty
   * @param program the program
   * @param settings the settings, without a limit
   */
  public static NettyLimit find(ChildNetty engine, RecordedProgram program, String settings) {
    NettySettings all = NettySettings.parse(settings).onMachineOf(program);
    NettyLimit peak = engine.run(program, all).peak();
    long chunkBytes = peak.chunkBytes();
    long bytes = peak.bytes();
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
      ChildNetty engine, RecordedProgram program, NettySettings settings, long bytes) {
    return !engine.run(program, settings.withLimit(bytes)).hasRefusals();
  }
}
