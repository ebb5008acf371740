package dev.stowage.cli.netty;

import java.util.List;

/**
 * The buffers and chunks of a run in a real Netty.
 *
 * @param version the version, and the reason for it, such as {@code Netty 4.2.16 (recorded)}
 * @param calls the allocations and frees in their order, without frees of refused buffers
 */
record NettyRun(String version, List<Call> calls) {

  /**
   * An allocation or a free.
   *
   * @param changes the chunks that came and went since the last call
   * @param address the address of an allocated buffer, or -1 if it was refused
   * @param chunkAddress the address of its chunk; 0 if only the changes have it
   * @param bytes the bytes of the buffer after rounding; for a refused buffer, the bytes of the
   *     chunk that it needs
   */
  record Call(List<Change> changes, long address, long chunkAddress, long bytes) {

    boolean isRefused() {
      return address == -1;
    }
  }

  /**
   * A chunk that Netty got or gave back.
   *
   * @param address its address; 0 if it is not known
   * @param bytes its size; negative if it was given back
   */
  record Change(long address, long bytes) {}

  NettyRun {
    calls = List.copyOf(calls);
  }

  /**
   * The most bytes of all chunks at any time.
   *
   * @param chunkBytes the bytes of the chunk that reached them
   */
  record Peak(long bytes, long chunkBytes) {}

  Peak peak() {
    Peak peak = new Peak(0, 0);
    long bytes = 0;
    for (Call call : calls) {
      for (Change change : call.changes()) {
        bytes += change.bytes();
        if (bytes > peak.bytes()) {
          peak = new Peak(bytes, change.bytes());
        }
      }
    }
    return peak;
  }

  /** {@return the number of chunks that Netty got} */
  long chunkCount() {
    return calls.stream()
        .flatMap(call -> call.changes().stream())
        .filter(change -> change.bytes() > 0)
        .count();
  }

  boolean hasRefusals() {
    return calls.stream().anyMatch(Call::isRefused);
  }
}
