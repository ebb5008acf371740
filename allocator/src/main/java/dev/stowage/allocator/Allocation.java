package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.List;
import java.util.Locale;

/**
 * An allocation in use.
 *
 * @param id the number of the allocation in its allocator, from 1; 0 if it shares a chunk of a pool
 *     with others
 * @param address the address of its first byte
 * @param requestedBytes the bytes that the caller requested
 * @param bytes the bytes of its chunk
 * @param tag the path of its tags, empty for none
 * @param stack the stack of the caller, innermost frame first; empty if stacks are not kept
 */
public record Allocation(
    long id,
    long address,
    long requestedBytes,
    long bytes,
    String tag,
    List<StackTraceElement> stack) {

  /** Creates an allocation. */
  public Allocation {
    stack = List.copyOf(stack);
  }

  /** {@return its number, tag and size for a message} */
  String describe() {
    String named = tag.isEmpty() ? "" : " '" + tag + "'";
    return String.format(
        Locale.ROOT, "allocation %d%s of %s", id, named, ByteCount.exact(requestedBytes));
  }

  /** {@return its number, tag, size and address} */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s at 0x%x", describe(), address);
  }
}
