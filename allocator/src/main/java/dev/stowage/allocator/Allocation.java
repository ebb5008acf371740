package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.List;
import java.util.Locale;

/** An allocation in use. */
public final class Allocation {

  private final long id;
  private final long address;
  private final long requestedBytes;
  private final long bytes;
  private final String tag;
  private final List<StackTraceElement> stack;

  Allocation(
      long id,
      long address,
      long requestedBytes,
      long bytes,
      String tag,
      List<StackTraceElement> stack) {
    this.id = id;
    this.address = address;
    this.requestedBytes = requestedBytes;
    this.bytes = bytes;
    this.tag = tag;
    this.stack = List.copyOf(stack);
  }

  /**
   * {@return the number of the allocation in its allocator, from 1; 0 if it shares a chunk of a pool
   * with others}
   */
  public long id() {
    return id;
  }

  /** {@return the address of its first byte} */
  public long address() {
    return address;
  }

  /** {@return the bytes that the caller requested} */
  public long requestedBytes() {
    return requestedBytes;
  }

  /** {@return the bytes of its chunk} */
  public long bytes() {
    return bytes;
  }

  /** {@return the path of its tags, empty for none} */
  public String tag() {
    return tag;
  }

  /** {@return the stack of the caller, innermost frame first; empty if stacks are not kept} */
  public List<StackTraceElement> stack() {
    return stack;
  }

  /** {@return its number, tag and size for a message} */
  String describe() {
    String named = tag.isEmpty() ? "" : " '" + tag + "'";
    return String.format(
        Locale.ROOT, "allocation %d%s of %s", id, named, ByteCount.exact(requestedBytes));
  }

  /** {@return true if number, address, bytes, tag and stack are equal} */
  @Override
  public boolean equals(Object other) {
    return other instanceof Allocation that
        && id == that.id
        && address == that.address
        && requestedBytes == that.requestedBytes
        && bytes == that.bytes
        && tag.equals(that.tag)
        && stack.equals(that.stack);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * id + address);
  }

  /** {@return its number, tag, size and address} */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s at 0x%x", describe(), address);
  }
}
