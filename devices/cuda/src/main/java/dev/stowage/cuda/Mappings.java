package dev.stowage.cuda;

import java.util.ArrayDeque;
import java.util.Deque;

/** The mappings of a region, from its start on, for one thread at a time. */
final class Mappings {

  private final Deque<Long> sizes = new ArrayDeque<>();
  private long bytes;
  private long accessibleBytes;

  /** {@return the bytes of all mappings} */
  long bytes() {
    return bytes;
  }

  /** {@return the bytes of the first mappings, which the device can access} */
  long accessibleBytes() {
    return accessibleBytes;
  }

  /** {@return true if there is a mapping that starts at an offset or later} */
  boolean hasAnyFrom(long offset) {
    return !sizes.isEmpty() && bytes - sizes.getLast() >= offset;
  }

  /** {@return the size of the last mapping} */
  long lastBytes() {
    return sizes.getLast();
  }

  /** Adds a mapping that is not accessible yet. */
  void add(long mappingBytes) {
    sizes.addLast(mappingBytes);
    bytes += mappingBytes;
  }

  /** Removes the last mapping. */
  void removeLast() {
    bytes -= sizes.removeLast();
    accessibleBytes = Math.min(accessibleBytes, bytes);
  }

  /** Makes all mappings accessible. */
  void becomeAccessible() {
    accessibleBytes = bytes;
  }
}
