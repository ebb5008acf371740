package dev.stowage.onnxruntime;

import dev.stowage.core.bfc.AllocatorReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The memory that sessions of ONNX Runtime use and have used.
 *
 * @param memory the current state of the allocator
 * @param tags the usage of each tag since the allocator was registered, the largest peak first
 * @param refusedRequests the number of requests that the allocator refused and that got memory from
 *     the C library
 * @param overflowBytes the bytes from the C library that are in use
 * @param peakOverflowBytes the largest number of such bytes in use at any time
 */
public record OnnxRuntimeReport(
    AllocatorReport memory,
    List<TagUsage> tags,
    long refusedRequests,
    long overflowBytes,
    long peakOverflowBytes) {

  /** Creates a report. */
  public OnnxRuntimeReport {
    tags = List.copyOf(tags);
  }

  /** {@return the report as lines of text} */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(memory.toString());
    if (!tags.isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%14s %18s %18s  %s",
              "allocations",
              "requested bytes",
              "peak",
              "since registered"));
    }
    for (TagUsage usage : tags) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%,14d %,18d %,18d  %s",
              usage.allocations(),
              usage.requestedBytesInUse(),
              usage.peakRequestedBytes(),
              usage.tag()));
    }
    if (refusedRequests > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "refused requests: %,d; their memory from the C library: %,d bytes in use, peak %,d",
              refusedRequests,
              overflowBytes,
              peakOverflowBytes));
    }
    return String.join("\n", lines);
  }
}
