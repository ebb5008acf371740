package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.replay.ReservedMemory;
import dev.stowage.trace.replay.ReservedPart;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The reserved memory at a moment of a replay: by reason, with what changes each part. */
final class ReservedParts {

  private static final String EXPANDABLE = "expandable_segments:True";

  private final ReservedMemory memory;
  private final AllocatorSummary allocator;
  private final boolean hasFailures;

  private ReservedParts(ReservedMemory memory, ReplayReport report) {
    this.memory = memory;
    allocator = report.allocator();
    hasFailures = report.result().failures() > 0;
  }

  /** Adds the parts of the reserved bytes, and the pools for programs. */
  static void add(ReservedMemory memory, long reservedBytes, ReplayReport report, Answer answer) {
    ReservedParts parts = new ReservedParts(memory, report);
    answer
        .field("held_bytes", parts.memory.requestedBytes())
        .groups(
            "reserved_parts",
            Arrays.asList(ReservedPart.values()),
            (part, group) ->
                group
                    .field("part", name(part))
                    .field("bytes", parts.memory.bytes(part))
                    .field("remedy", Figure.text(parts.remedy(part))));
    if (reservedBytes > parts.memory.requestedBytes()) {
      parts.addTable(reservedBytes, answer);
    }
    answer.groups(
        "pools",
        parts.memory.pools(),
        (pool, group) ->
            group
                .field("pool", name(pool.lane().pool()))
                .field("stream", pool.lane().stream())
                .field("kind", pool.lane().isSmall() ? "small" : "large")
                .field("reserved_bytes", pool.reservedBytes())
                .field("in_use_bytes", pool.inUseBytes())
                .field("requested_bytes", pool.requestedBytes()));
  }

  private void addTable(long reservedBytes, Answer answer) {
    Facts facts = new Facts("RESERVED", "bytes", "", "of reserved");
    addRow("requested", memory.requestedBytes(), reservedBytes, facts);
    for (ReservedPart part : ReservedPart.values()) {
      if (memory.bytes(part) > 0) {
        addRow(label(part), memory.bytes(part), reservedBytes, facts);
      }
    }
    addRow("reserved", reservedBytes, reservedBytes, facts);
    answer.facts(facts).line("");
    for (ReservedPart part : ReservedPart.values()) {
      remedy(part).ifPresent(remedy -> answer.line("%s: %s", label(part), Printable.of(remedy)));
    }
  }

  private static void addRow(String label, long bytes, long reservedBytes, Facts facts) {
    facts.bytes("", label, bytes, new Figure.Share(bytes / (double) reservedBytes));
  }

  private static String name(ReservedPart part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  private static String label(ReservedPart part) {
    return name(part).replace('_', ' ');
  }

  private static String name(PoolId pool) {
    return pool.isPrivate() ? Text.of("(%d, %d)", pool.graph(), pool.user()) : "default";
  }

  /** {@return what changes a part, as sentences; empty if there is no such part} */
  private Optional<String> remedy(ReservedPart part) {
    return memory.bytes(part) == 0 ? Optional.empty() : Optional.of(text(part));
  }

  private String text(ReservedPart part) {
    AllocatorKind kind = allocator.kind();
    return switch (part) {
      case ROUNDING ->
          switch (kind) {
            case pytorch ->
                "Requests are rounded up to multiples of 512 bytes, or by roundup_power2_divisions.";
            case netty -> "Buffers have the sizes of classes (-Dio.netty.allocator.type).";
            default -> "Requests are rounded up to multiples of 256 bytes.";
          };
      case UNSPLIT_RESTS ->
          switch (kind) {
            case pytorch -> "Rests stay with large blocks: " + EXPANDABLE + " splits them off.";
            case bfc -> "Small rests stay with their chunks: a smaller --max-dead splits them off.";
            default -> "Small rests stay with their blocks.";
          };
      case HOLES -> holes();
      case KEPT_SEGMENTS ->
          switch (kind) {
            case pytorch ->
                "torch.cuda.empty_cache() releases them; " + EXPANDABLE + " reuses their memory.";
            case xla ->
                hasFailures
                    ? "Regions are not returned."
                    : "A smaller XLA_CLIENT_MEM_FRACTION leaves more memory to others.";
            case netty -> "stowage tune finds settings that keep less.";
            case rmm -> "The pool returns no memory: --first-region and --limit set its sizes.";
            case bfc -> "--garbage-collect returns them before a request fails.";
          };
      case OTHER_STREAMS ->
          "Each stream has free blocks of its own: allocate on fewer streams, or call"
              + " torch.cuda.empty_cache() when a stream has finished.";
      case PRIVATE_POOLS ->
          "Private pools keep free memory for their own requests: capture graphs into one pool"
              + " (torch.cuda.graph_pool_handle()), use one MemPool, or delete unused pools.";
      case PENDING_FREES ->
          "Other streams used these blocks when the program freed them (Tensor.record_stream): free"
              + " them after this work has ended.";
    };
  }

  private String holes() {
    boolean isExpandable = allocator.settings().contains("expandable");
    String other =
        switch (allocator.kind()) {
          case pytorch -> isExpandable ? "" : ", or try " + EXPANDABLE;
          case bfc -> isExpandable ? "" : ", or try --expandable";
          default -> "";
        };
    return "Free the blocks in pinned regions earlier, or allocate them before the others"
        + other
        + ".";
  }
}
