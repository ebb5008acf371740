package dev.stowage.trace.netty;

import dev.stowage.trace.format.NettyScript;
import java.util.List;
import java.util.stream.IntStream;

/** The buffers and chunks of a run in a real Netty. */
public final class NettyRun {

  /**
   * The numbers of a result: the address of the buffer of an operation, or -1 if it was refused;
   * the address of its chunk, or 0 if only the changes have it; the bytes of the buffer with
   * rounding, or of the chunk of a refused one.
   */
  public static final int NUMBERS = 3;

  /**
   * A chunk that Netty got or gave back.
   *
   * @param operation the number of the operation
   * @param isAdded false if it was given back
   * @param address its address
   * @param bytes its size
   */
  public record Change(int operation, boolean isAdded, long address, long bytes) {}

  private final String version;
  private final NettyScript script;
  private final long[] results;
  private final List<Change> changes;
  private long peakBytes;
  private long peakChunkBytes;

  /**
   * Creates a run.
   *
   * @param version the version, and the reason for it, such as {@code Netty 4.2.16 (recorded)}
   * @param script the operations that ran
   * @param results the results, {@link #NUMBERS} for each operation
   * @param changes the chunks that came and went, by operation
   */
  public NettyRun(String version, NettyScript script, long[] results, List<Change> changes) {
    this.version = version;
    this.script = script;
    this.results = results.clone();
    this.changes = List.copyOf(changes);
    long bytes = 0;
    for (Change change : changes) {
      bytes += change.isAdded() ? change.bytes() : -change.bytes();
      if (bytes > peakBytes) {
        peakBytes = bytes;
        peakChunkBytes = change.bytes();
      }
    }
  }

  /** {@return the version, and the reason for it} */
  public String version() {
    return version;
  }

  /** {@return the operations that ran} */
  public NettyScript script() {
    return script;
  }

  List<Change> changes() {
    return changes;
  }

  long address(int operation) {
    return results[operation * NUMBERS];
  }

  long chunkAddress(int operation) {
    return results[operation * NUMBERS + 1];
  }

  long bytes(int operation) {
    return results[operation * NUMBERS + 2];
  }

  /** {@return the most bytes of all chunks at any time} */
  public long peakBytes() {
    return peakBytes;
  }

  /** {@return the bytes of the last chunk before the peak; 0 if there is none} */
  long peakChunkBytes() {
    return peakChunkBytes;
  }

  /** {@return the number of chunks that Netty got} */
  public long chunkCount() {
    return changes.stream().filter(Change::isAdded).count();
  }

  /** {@return the number of requests that were refused} */
  public long refusedCount() {
    return IntStream.range(0, script.count()).filter(each -> address(each) == -1).count();
  }
}
