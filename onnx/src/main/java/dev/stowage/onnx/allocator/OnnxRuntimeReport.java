package dev.stowage.onnx.allocator;

import dev.stowage.core.bfc.AllocatorReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What sessions of ONNX Runtime hold, and what they have used.
 *
 * @param memory where the allocator's memory is now
 * @param tags what was used under each tag since the allocator was registered, the largest peak
 *     first
 * @param refusedRequests how many requests the allocator refused, which were answered outside its
 *     limit
 * @param overflowBytes what of that is in use now
 * @param peakOverflowBytes the most of it in use at any time
 */
public record OnnxRuntimeReport(
    AllocatorReport memory,
    List<TagUsage> tags,
    long refusedRequests,
    long overflowBytes,
    long peakOverflowBytes) {

  /** A report. */
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
              "%,d refused, and answered outside the limit: %,d bytes in use, peak %,d",
              refusedRequests,
              overflowBytes,
              peakOverflowBytes));
    }
    return String.join("\n", lines);
  }
}
