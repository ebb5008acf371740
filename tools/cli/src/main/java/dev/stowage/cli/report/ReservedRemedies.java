package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.ReservedExplanation;
import dev.stowage.trace.explain.ReservedExplanation.HolePinner;
import dev.stowage.trace.format.TraceProgram;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.replay.ReservedPart;
import java.util.Optional;

/** Sentences on the settings or the lines of code that change a part of the reserved memory. */
final class ReservedRemedies {

  private static final String PENDING_FREES =
      "Other streams used these blocks when the program freed them (Tensor.record_stream): free"
          + " them after this work has ended.";

  private final AllocatorSummary allocator;
  private final ReservedExplanation explanation;
  private final boolean hasOneRegion;
  private final boolean hasFailures;
  private final TraceProgram program;

  ReservedRemedies(
      AllocatorSummary allocator,
      TraceProgram program,
      ReservedExplanation explanation,
      boolean hasOneRegion,
      boolean hasFailures) {
    this.allocator = allocator;
    this.program = program;
    this.explanation = explanation;
    this.hasOneRegion = hasOneRegion;
    this.hasFailures = hasFailures;
  }

  /** {@return a sentence; empty if the allocator never has such a part, or not now} */
  Optional<String> of(ReservedPart part) {
    return switch (allocator.name()) {
      case "pytorch" -> pytorch(part);
      case "rmm" -> rmm(part);
      case "xla" -> xla(part);
      case "netty" -> netty(part);
      default -> bfc(part);
    };
  }

  private boolean has(String setting) {
    return allocator.settings().contains(setting);
  }

  private Optional<String> holes(String other) {
    return explanation
        .pinner()
        .map(most ->
            subject(most)
                + ": free these blocks earlier, or allocate them before the others"
                + other
                + ".");
  }

  /**
   * {@return the blocks that keep holes, such as {@code f at a.py:1 keeps 2 MiB of them with …}}
   */
  private static String subject(HolePinner most) {
    String blocks =
        Numbers.count(most.blocks(), "block") + " of " + ByteUnit.human(most.blockBytes());
    String kept = ByteUnit.human(most.holeBytes()) + " of them";
    return switch (most.line()) {
      case Grouping.NO_STACK -> blocks + " without a call stack keep " + kept;
      case Grouping.OLDER -> blocks + " that are older than the recording keep " + kept;
      default -> most.line() + " keeps " + kept + " with " + blocks;
    };
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
      case PRIVATE_POOLS -> Optional.of(privatePools());
      case PENDING_FREES -> Optional.of(PENDING_FREES);
      case KEPT_SEGMENTS ->
          Optional.of(
              (isExpandable
                      ? "Cached for later requests: "
                      : "Segments of earlier requests: expandable_segments:True reuses their memory, ")
                  + "torch.cuda.empty_cache() releases it, and so does"
                  + " garbage_collection_threshold near a limit.");
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

  private String privatePools() {
    long count =
        explanation.memory().pools().stream()
            .map(pool -> pool.lane().pool())
            .filter(PoolId::isPrivate)
            .distinct()
            .count();
    return count == 1
        ? "The private pool keeps free memory for its own requests: capture or allocate less in it,"
            + " or delete it when it is not needed."
        : Text.of(
            "Each of %d private pools keeps free memory for its own requests: capture graphs into"
                + " one pool (torch.cuda.graph_pool_handle()), or use one MemPool.",
            count);
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

  private Optional<String> xla(ReservedPart part) {
    return switch (part) {
      case UNSPLIT_RESTS ->
          Optional.of(
              "Rests of less than 128 MiB stay with chunks that are larger than half of them,"
                  + " which no setting of JAX changes.");
      case HOLES -> holes("");
      case KEPT_SEGMENTS -> regionsOfXla();
      default -> bfc(part);
    };
  }

  /** {@return a sentence on less memory for the job; empty if it has too little} */
  private Optional<String> regionsOfXla() {
    if (hasFailures) {
      return Optional.empty();
    }
    return program == TraceProgram.TENSORFLOW
        ? Optional.of(
            "TensorFlow keeps its regions: a memory_limit"
                + (hasOneRegion ? ", or tf.config.experimental.set_memory_growth," : "")
                + " leaves more memory to others.")
        : Optional.of(
            "JAX keeps its regions: a smaller XLA_CLIENT_MEM_FRACTION"
                + (hasOneRegion ? ", or XLA_PYTHON_CLIENT_PREALLOCATE=false," : "")
                + " leaves more memory to others.");
  }

  private Optional<String> netty(ReservedPart part) {
    return switch (part) {
      case ROUNDING, UNSPLIT_RESTS ->
          Optional.of(
              "Buffers have the sizes of classes: the adaptive and the pooled allocator have others"
                  + " (-Dio.netty.allocator.type).");
      case HOLES -> holes("");
      case KEPT_SEGMENTS ->
          Optional.of(
              "Chunks without a buffer stay for later ones: stowage tune finds settings that keep"
                  + " less.");
      case OTHER_STREAMS, PRIVATE_POOLS, PENDING_FREES -> Optional.empty();
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
