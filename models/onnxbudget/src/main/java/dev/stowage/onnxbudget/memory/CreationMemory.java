package dev.stowage.onnxbudget.memory;

import java.util.List;

/**
 * The memory of weights while sessions are created, one after the other.
 *
 * @param residentBytes the resident bytes after each session
 * @param highestBytes the most resident bytes until then
 */
public record CreationMemory(List<Long> residentBytes, List<Long> highestBytes) {

  /** Creates a memory. */
  public CreationMemory {
    residentBytes = List.copyOf(residentBytes);
    highestBytes = List.copyOf(highestBytes);
  }

  /** {@return the resident bytes after the first session} */
  public long firstBytes() {
    return residentBytes.getFirst();
  }

  /** {@return the resident bytes that each further session adds, on average, or more} */
  public long furtherBytes() {
    long further = 0;
    for (int i = 1; i < residentBytes.size(); i++) {
      further = Math.max(further, Math.ceilDiv(residentBytes.get(i) - firstBytes(), i));
    }
    return further;
  }

  /** {@return the most bytes that the process needs only while it creates a session} */
  public long temporaryBytes() {
    long most = 0;
    for (int i = 0; i < residentBytes.size(); i++) {
      most = Math.max(most, highestBytes.get(i) - residentBytes.get(i));
    }
    return most;
  }
}
