package dev.stowage.trace.netty;

import dev.stowage.trace.format.NettyScript;
import java.util.List;

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
    long bytesNow = 0;
    long peak = 0;
    for (Change change : changes) {
      bytesNow += change.isAdded() ? change.bytes() : -change.bytes();
      peak = Math.max(peak, bytesNow);
    }
    return peak;
  }

  /** {@return the bytes of the last chunk before the peak; 0 if there is none} */
  public long peakChunkBytes() {
    long bytesNow = 0;
    long peak = 0;
    long chunkBytes = 0;
    for (Change change : changes) {
      bytesNow += change.isAdded() ? change.bytes() : -change.bytes();
      if (bytesNow > peak) {
        peak = bytesNow;
        chunkBytes = change.bytes();
      }
    }
    return chunkBytes;
  }

  /** {@return the number of chunks that Netty got} */
  public long chunkCount() {
    return changes.stream().filter(Change::isAdded).count();
  }

  /** {@return the number of requests that were refused} */
  public long refusedCount() {
    long count = 0;
    for (int i = 0; i < results.length; i += NUMBERS) {
      count += results[i] == -1 ? 1 : 0;
    }
    return count;
  }
}
