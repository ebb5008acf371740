package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;

/**
 * The messages of TensorFlow Lite Micro on its tensor arena.
 *
 * <p>After {@code single_arena_buffer_allocator.cc} and {@code micro_allocator.cc}.
 */
final class TfliteMicroText implements FailureText {

  private static final int MAX_LINES = 3;

  private static final String SMALL = "Arena size is too small for all buffers";

  private static final Phrase REQUESTED = Phrase.of("Requested: #");
  private static final Phrase AVAILABLE = Phrase.of("available:? #");
  private static final Phrase MISSING = Phrase.of("missing:? #");
  private static final Phrase NEEDED = Phrase.of("Needed # but only");
  private static final Phrase ONLY = Phrase.of("but only # was available");

  @Override
  public List<String> marks() {
    return List.of(
        "Failed to resize buffer. Requested",
        "Failed to allocate tail memory. Requested",
        "Failed to allocate temp memory. Requested",
        "Failed to allocate memory. Requested",
        SMALL);
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    String all = lines.text(start, MAX_LINES);
    int next = all.indexOf("Failed", 1);
    String text = next > 0 ? all.substring(0, next) : all;
    boolean isWhole = text.startsWith(SMALL);
    FailureNumbers numbers =
        FailureNumbers.NONE
            .with(FailurePart.REQUESTED, (isWhole ? NEEDED : REQUESTED).find(text))
            .with(FailurePart.AVAILABLE, (isWhole ? ONLY : AVAILABLE).find(text))
            .with(FailurePart.MISSING, MISSING.find(text));
    return Optional.of(
        new Failure(
            FailureProgram.TFLITE_MICRO,
            "message of TensorFlow Lite Micro",
            Failure.Cause.LIMIT,
            numbers,
            isWhole
                ? "all buffers of the plan"
                : text.contains("resize")
                    ? "the plan of the head"
                    : text.contains("tail") ? "persistent buffers in the tail" : "",
            lines.number()));
  }
}
