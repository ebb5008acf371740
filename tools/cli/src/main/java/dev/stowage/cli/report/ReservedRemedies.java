package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.ReservedExplanation;
import dev.stowage.trace.replay.ReservedPart;
import java.util.Optional;

/** Sentences on the settings or the lines of code that change a part of the reserved memory. */
final class ReservedRemedies {

  private static final String EXPANDABLE = "expandable_segments:True";

  private final AllocatorSummary allocator;
  private final ReservedExplanation explanation;
  private final boolean hasFailures;

  ReservedRemedies(
      AllocatorSummary allocator, ReservedExplanation explanation, boolean hasFailures) {
    this.allocator = allocator;
    this.explanation = explanation;
    this.hasFailures = hasFailures;
  }

  /** {@return a sentence; empty if the allocator never has such a part, or not now} */
  Optional<String> of(ReservedPart part) {
    return part == ReservedPart.HOLES
        ? holes()
        : Optional.of(text(part)).filter(it -> !it.isEmpty());
  }

  private String text(ReservedPart part) {
    return switch (part) {
      case ROUNDING -> rounding();
      case UNSPLIT_RESTS -> rests();
      case KEPT_SEGMENTS -> keptSegments();
      case HOLES -> "";
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

  private boolean has(String setting) {
    return allocator.settings().contains(setting);
  }

  private Optional<String> holes() {
    String other =
        switch (allocator.kind()) {
          case pytorch -> has(EXPANDABLE) ? "" : ", or try " + EXPANDABLE;
          case bfc -> has("--expandable") ? "" : ", or try --expandable";
          default -> "";
        };
    return explanation
        .pinner()
        .map(most ->
            Text.of(
                "%s: %s of them are beside %s of %s. Free these blocks earlier, or allocate them"
                    + " before the others%s.",
                most.line(),
                ByteUnit.human(most.holeBytes()),
                Numbers.count(most.blocks(), "block"),
                ByteUnit.human(most.blockBytes()),
                other));
  }

  private String rounding() {
    return switch (allocator.kind()) {
      case pytorch ->
          has("roundup_power2_divisions")
              ? "More divisions of roundup_power2_divisions round less."
              : "Requests are rounded up to multiples of 512 bytes, which no setting changes.";
      case netty ->
          "Buffers have the sizes of classes: the adaptive and the pooled allocator have others"
              + " (-Dio.netty.allocator.type).";
      default -> "Requests are rounded up to multiples of 256 bytes, which no option changes.";
    };
  }

  private String rests() {
    return switch (allocator.kind()) {
      case pytorch ->
          "Rests of up to 1 MiB, or more with max_split_size_mb, stay with large blocks"
              + (has(EXPANDABLE) ? "." : ": " + EXPANDABLE + " splits them off.");
      case xla ->
          "Rests of less than 128 MiB stay with chunks that are larger than half of them, which no"
              + " setting of JAX changes.";
      case netty -> rounding();
      case rmm -> "";
      default -> "Small rests stay with their chunks: a smaller --max-dead splits them off.";
    };
  }

  private String keptSegments() {
    return switch (allocator.kind()) {
      case pytorch ->
          (has(EXPANDABLE)
                  ? "Cached for later requests: "
                  : "Segments of earlier requests: " + EXPANDABLE + " reuses their memory, ")
              + "torch.cuda.empty_cache() releases it, and so does garbage_collection_threshold near"
              + " a limit.";
      case xla ->
          hasFailures
              ? ""
              : "Regions are kept: a smaller XLA_CLIENT_MEM_FRACTION, or a memory_limit of"
                  + " TensorFlow, leaves more memory to others.";
      case netty ->
          "Chunks without a buffer stay for later ones: stowage tune finds settings that keep less.";
      case rmm ->
          "The pool returns no memory and doubles as it grows: --first-region and --limit set its"
              + " sizes.";
      default ->
          "Free regions stay for later requests: --garbage-collect returns them before a request"
              + " fails.";
    };
  }
}
