package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The memory that sessions of ONNX Runtime use and have used.
 *
 * @param memory the current state of the allocator
 * @param tags the usage of each tag since the allocator was registered, the largest peak first
 * @param overflow the memory outside the limit, because the allocator refused requests
 * @param sessions the usage of each open session, in the order of their opening
 * @param deviceWaits the number of allocations that waited until a device had completed its work,
 *     because another stream may have used the memory last; 0 for memory of the host
 */
public record OnnxRuntimeReport(
    AllocatorReport memory,
    List<TagUsage> tags,
    Overflow overflow,
    List<SessionUsage> sessions,
    long deviceWaits) {

  /**
   * The memory outside the limit, from the C library or the driver of a device.
   *
   * @param refusedRequests the number of refused requests, which got such memory instead
   * @param bytesInUse the bytes in use
   * @param peakBytes the largest number of bytes in use at any time
   */
  public record Overflow(long refusedRequests, long bytesInUse, long peakBytes) {}

  /**
   * The allocations of a tag since the allocator was registered.
   *
   * @param tag the path of tags
   * @param allocations the number of allocations so far
   * @param requestedBytesInUse the requested bytes of the allocations in use
   * @param peakRequestedBytes the largest number of these bytes at any time
   */
  public record TagUsage(
      String tag, long allocations, long requestedBytesInUse, long peakRequestedBytes) {}

  /**
   * The memory of a session, in multiples of 256 bytes, with memory outside the limit.
   *
   * @param session the name
   * @param bytesInUse the bytes in use
   * @param peakBytes the largest number of bytes in use since the peak was cleared
   * @param refusedRequests the number of refused requests of the engine, which got memory outside
   *     the limit instead
   * @param account the charges to the session
   */
  public record SessionUsage(
      String session,
      long bytesInUse,
      long peakBytes,
      long refusedRequests,
      MemoryAccount.Level account) {}

  /** Creates a report. */
  public OnnxRuntimeReport {
    tags = List.copyOf(tags);
    sessions = List.copyOf(sessions);
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
    if (overflow.refusedRequests() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "refused requests: %,d; their memory outside the limit: %,d bytes in use, peak %,d",
              overflow.refusedRequests(),
              overflow.bytesInUse(),
              overflow.peakBytes()));
    }
    if (!sessions.isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%14s %14s %14s %14s %8s %8s %7s  %s",
              "bytes in use",
              "peak",
              "charged",
              "peak",
              "waiting",
              "rejected",
              "refused",
              "session"));
    }
    sessions.forEach(session -> lines.add(line(session)));
    if (deviceWaits > 0) {
      lines.add(
          String.format(
              Locale.ROOT, "allocations that waited for work of other streams: %,d", deviceWaits));
    }
    return String.join("\n", lines);
  }

  private static String line(SessionUsage session) {
    return String.format(
        Locale.ROOT,
        "%,14d %,14d %,14d %,14d %,8d %,8d %,7d  %s",
        session.bytesInUse(),
        session.peakBytes(),
        session.account().usedBytes(),
        session.account().peakBytes(),
        session.account().waiting(),
        session.account().refused(),
        session.refusedRequests(),
        session.session());
  }
}
