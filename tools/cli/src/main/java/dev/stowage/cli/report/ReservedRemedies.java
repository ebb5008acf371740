package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.explain.ReservedExplanation.HolePinner;
import dev.stowage.trace.replay.ReservedPart;
import java.util.Locale;
import java.util.Optional;

/** Sentences on the settings or the lines of code that change a part of the reserved memory. */
final class ReservedRemedies {

  private static final String PENDING_FREES =
      "Other streams used these blocks when the program freed them (Tensor.record_stream): free"
          + " them after this work has ended.";

  private final AllocatorSummary allocator;
  private final Optional<HolePinner> pinner;

  /**
   * @param pinner the line of code that keeps the most holes
   */
  ReservedRemedies(AllocatorSummary allocator, Optional<HolePinner> pinner) {
    this.allocator = allocator;
    this.pinner = pinner;
  }

  /** {@return a sentence; empty if the allocator never has such a part, or not now} */
  Optional<String> of(ReservedPart part) {
    return switch (allocator.name()) {
      case "pytorch" -> pytorch(part);
      case "rmm" -> rmm(part);
      default -> bfc(part);
    };
  }

  private boolean has(String setting) {
    return allocator.settings().contains(setting);
  }

  private Optional<String> holes(String other) {
    return pinner.map(most ->
        String.format(
            Locale.ROOT,
            "%s keeps %s of them with %s of %s: free these blocks earlier, or allocate them before"
                + " the others%s.",
            most.line(),
            ByteUnit.human(most.holeBytes()),
            Numbers.count(most.blocks(), "block"),
            ByteUnit.human(most.blockBytes()),
            other));
  }

  private Optional<String> pytorch(ReservedPart part) {
    boolean isExpandable = has("expandable_segments:True");
    return switch (part) {
      case ROUNDING ->
          Optional.of(
              has("roundup_power2_divisions")
                  ? "roundup_power2_divisions rounds requests up: with more divisions, or without"
                      + " it, they need less."
                  : "Requests are rounded up to multiples of 512 bytes, which no setting changes.");
      case UNSPLIT_RESTS -> Optional.of(rests(isExpandable));
      case HOLES -> holes(isExpandable ? "" : ", or try expandable_segments:True");
      case OTHER_STREAMS ->
          Optional.of(
              "Each stream has free blocks of its own: allocate on fewer streams, or call"
                  + " torch.cuda.empty_cache() when a stream has finished.");
      case PRIVATE_POOLS ->
          Optional.of(
              "Each pool of captured graphs, and each MemPool, keeps its own memory: capture graphs"
                  + " with one pool (torch.cuda.graph_pool_handle()).");
      case PENDING_FREES -> Optional.of(PENDING_FREES);
      case KEPT_SEGMENTS ->
          Optional.of(
              "Cached for later requests: torch.cuda.empty_cache() releases it, and"
                  + " garbage_collection_threshold releases old segments near a limit.");
    };
  }

  private String rests(boolean isExpandable) {
    if (isExpandable) {
      return "Only blocks that are older than expandable_segments:True have such rests.";
    }
    return has("max_split_size_mb")
        ? "max_split_size_mb keeps large blocks whole: a smaller max_non_split_rounding_mb limits"
            + " their rests, or try expandable_segments:True."
        : "Rests of up to 1 MiB stay with large blocks: expandable_segments:True splits them off.";
  }

  private Optional<String> bfc(ReservedPart part) {
    return switch (part) {
      case ROUNDING ->
          Optional.of(
              "Requests are rounded up to multiples of 256 bytes, which no option changes.");
      case UNSPLIT_RESTS ->
          Optional.of("Small rests stay with their chunks: a smaller --max-dead splits them off.");
      case HOLES -> holes(has("--expandable") ? "" : ", or try --expandable");
      case PENDING_FREES -> Optional.of(PENDING_FREES);
      case KEPT_SEGMENTS ->
          Optional.of(
              "Free regions stay for later requests: --garbage-collect returns them before a"
                  + " request fails.");
      case OTHER_STREAMS, PRIVATE_POOLS -> Optional.empty();
    };
  }

  private Optional<String> rmm(ReservedPart part) {
    return switch (part) {
      case ROUNDING ->
          Optional.of(
              "Requests are rounded up to multiples of 256 bytes, which no option changes.");
      case HOLES -> holes("");
      case PENDING_FREES -> Optional.of(PENDING_FREES);
      case KEPT_SEGMENTS ->
          Optional.of(
              "The pool returns no memory and doubles as it grows: --first-region and --limit set"
                  + " its sizes.");
      case UNSPLIT_RESTS, OTHER_STREAMS, PRIVATE_POOLS -> Optional.empty();
    };
  }
}
