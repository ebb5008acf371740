package dev.stowage.core.bfc;

import java.util.List;
import java.util.Locale;

/**
 * What is in use at an address.
 *
 * @param id its number; allocations are counted from 1
 * @param address where it is
 * @param requestedBytes what was asked for
 * @param bytes what it takes
 * @param tag the path of its tags, empty for none
 * @param stack where it was asked for, innermost first; empty if stacks are not kept
 */
public record Allocation(
    long id,
    long address,
    long requestedBytes,
    long bytes,
    String tag,
    List<StackTraceElement> stack) {

  /** An allocation. */
  public Allocation {
    stack = List.copyOf(stack);
  }

  /** {@return its number, tag and size for a message} */
  String describe() {
    String named = tag.isEmpty() ? "" : " '" + tag + "'";
    return String.format(Locale.ROOT, "allocation %d%s of %d bytes", id, named, requestedBytes);
  }
}
