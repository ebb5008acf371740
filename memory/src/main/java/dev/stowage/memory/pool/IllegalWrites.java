package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes to freed memory and to slack that the checks of a pool in debug mode have found. Not safe
 * for use by threads.
 */
final class IllegalWrites {

  private static final int MAX_SENTENCES = 3;
  private static final int SHOWN_BYTES = 8;

  private final String pool;
  private final List<String> sentences = new ArrayList<>();
  private long freedWrites;
  private long slackWrites;

  IllegalWrites(String pool) {
    this.pool = pool;
  }

  /**
   * Adds a write.
   *
   * @param isFreed true for a write to freed memory, false for one after the end of an allocation
   * @param block the freed allocation, or the allocation before the write
   * @param blockBytes the bytes of it that the caller requested
   * @param offset the offset of the write from the start of the allocation
   * @param written the bytes there
   * @param expected the expected value of each byte
   */
  void add(
      boolean isFreed,
      Allocation block,
      long blockBytes,
      long offset,
      MemorySegment written,
      byte expected) {
    if (isFreed) {
      freedWrites++;
    } else {
      slackWrites++;
    }
    if (sentences.size() == MAX_SENTENCES) {
      return;
    }
    StringBuilder found = new StringBuilder();
    for (long i = 0; i < Math.min(SHOWN_BYTES, written.byteSize()); i++) {
      found.append(String.format(Locale.ROOT, " %02X", written.get(ValueLayout.JAVA_BYTE, i)));
    }
    sentences.add(
        String.format(
            Locale.ROOT,
            "at 0x%x, offset %d of %sallocation %d%s of %d bytes, is%s instead of %02X",
            block.address() + offset,
            offset,
            isFreed ? "freed " : "",
            block.id(),
            block.tag().isEmpty() ? "" : String.format(Locale.ROOT, " '%s'", block.tag()),
            blockBytes,
            found,
            expected));
  }

  /**
   * Throws the illegal writes since the last call, if there are any.
   *
   * @throws IllegalStateException if freed memory or slack was written to
   */
  void throwAll() {
    long count = freedWrites + slackWrites;
    if (count > 0) {
      long more = count - sentences.size();
      String message =
          String.format(
              Locale.ROOT,
              "pool '%s': %s written to: %s%s",
              pool,
              subject(),
              String.join("; ", sentences),
              more == 0 ? "" : String.format(Locale.ROOT, "; and %d more", more));
      sentences.clear();
      freedWrites = 0;
      slackWrites = 0;
      throw new IllegalStateException(message);
    }
  }

  private String subject() {
    if (slackWrites == 0) {
      return "freed memory was";
    }
    return freedWrites == 0
        ? "memory after the end of an allocation was"
        : "freed memory and memory after the end of an allocation were";
  }
}
