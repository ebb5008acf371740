package dev.stowage.cli.failure;

import java.util.Optional;
import java.util.stream.Stream;

/** The messages of ONNX Runtime's arena, a BFC allocator: after {@code bfc_arena.cc}. */
final class OnnxRuntimeArena {

  static final String AVAILABLE = "is smaller than requested bytes of";
  static final String BUFFER = "memory for requested buffer of size";
  static final String CREATION = "Creating BFCArena";
  static final String EXTENSION = "Extending BFCArena";
  static final String TOTAL = "Total allocated bytes:";

  private static final Phrase LEFT = Phrase.of("Available memory of # is smaller");
  private static final Phrase REQUESTED = Phrase.of("(?:requested bytes of|buffer of size) #");
  private static final Phrase LIMIT = Phrase.of("memory limit: #");
  private static final Phrase NEED = Phrase.of("rounded_bytes: ?#");
  private static final Phrase REGION = Phrase.of("Extended allocation by # bytes");
  private static final Phrase RESERVED = Phrase.of(TOTAL + " #");

  private FailureNumbers numbers = FailureNumbers.NONE;
  private String strategy = "";

  /** {@return true if a text starts with words of the arena} */
  static boolean starts(String text) {
    return Stream.of(AVAILABLE, BUFFER, CREATION, EXTENSION, TOTAL).anyMatch(text::startsWith);
  }

  /** Reads a text and {@return the failure, or the growth of the arena; empty for other texts} */
  Optional<Failure> read(FailureLines lines, String text) {
    if (text.startsWith(CREATION)) {
      strategy =
          text.contains("arena_extend_strategy: 1")
              ? "kSameAsRequested"
              : text.contains("arena_extend_strategy: 0") ? "kNextPowerOfTwo" : "";
      numbers =
          FailureNumbers.NONE.with(
              FailurePart.LIMIT, LIMIT.find(text).filter(limit -> !limit.isOverflow()));
      return Optional.empty();
    }
    if (text.startsWith(TOTAL)) {
      numbers = numbers.with(FailurePart.RESERVED, RESERVED.find(text));
      return Optional.empty();
    }
    return Optional.of(
        text.startsWith(EXTENSION)
            ? failure(
                Failure.Cause.GROWTH,
                "log of ONNX Runtime's arena",
                numbers
                    .with(FailurePart.REQUESTED, NEED.find(text))
                    .with(FailurePart.REGION, REGION.find(text))
                    .with(FailurePart.RESERVED, RESERVED.find(text)),
                lines)
            : failed(lines, text.startsWith(AVAILABLE)));
  }

  private Failure failed(FailureLines lines, boolean isLimit) {
    String text = lines.text(0, 3);
    return failure(
        isLimit ? Failure.Cause.LIMIT : Failure.Cause.REFUSAL,
        "message of ONNX Runtime's arena",
        numbers
            .with(FailurePart.REQUESTED, REQUESTED.find(text))
            .with(FailurePart.AVAILABLE, isLimit ? LEFT.find(text) : Optional.empty()),
        lines);
  }

  private Failure failure(
      Failure.Cause cause, String kind, FailureNumbers known, FailureLines lines) {
    return new Failure(FailureProgram.ONNX_RUNTIME, kind, cause, known, strategy, lines.number());
  }
}
