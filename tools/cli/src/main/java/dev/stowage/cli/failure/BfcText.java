package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The report of a BFC allocator of TensorFlow (since 1.0), XLA or ONNX Runtime, whole or cut. */
final class BfcText implements FailureText {

  private static final String START = "ran out of memory trying to allocate";

  /** The allocator logs the same words with this count in addition to a report. */
  private static final String AGAIN = "with freed_by_count=";

  private static final Phrase ROUNDED = Phrase.of("\\(rounded to #\\)");
  private static final Phrase REQUESTED = Phrase.of("trying to allocate {}");

  /** Paths of the file of the allocator, by the program that was compiled from it. */
  private static final Pattern JAX = Pattern.compile("external/(?:org_tensorflow|tsl|xla)");

  private static final Pattern TENSORFLOW =
      Pattern.compile("tensorflow/(?:core|tsl)|local_(?:tsl|xla)");

  private Optional<Failure> last = Optional.empty();
  private BfcChunks chunks = new BfcChunks();

  @Override
  public List<String> marks() {
    return List.of(
        START,
        "InUse at ",
        "Chunk at ",
        "Free at ",
        "Summary of in-use Chunks",
        "memory_limit_: ",
        "Limit: ",
        "Chunks of size ",
        "**",
        "__");
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    String text = lines.text(start, 3);
    String line = lines.text(0, 1);
    if (text.startsWith(START)) {
      return text.contains("not a failure") || (text.contains(AGAIN) && last.isPresent())
          ? Optional.empty()
          : begin(program(line), requested(text), lines);
    }
    if (BfcChunks.isChunk(text) && (last.isEmpty() || chunks.isEnded())) {
      begin(FailureProgram.XLA, Optional.empty(), lines); // the start of the report is missing
    }
    chunks.read(text, line, last.flatMap(Failure::requested));
    Optional<Failure> before = last;
    last = last.map(this::updated);
    return last.equals(before) && lines.number() > before.map(Failure::line).orElse(0L)
        ? Optional.empty()
        : last;
  }

  private static Optional<PrintedBytes> requested(String text) {
    return ROUNDED.find(text).filter(number -> number.bytes() > 0).or(() -> REQUESTED.find(text));
  }

  private static FailureProgram program(String line) {
    return JAX.matcher(line).find()
        ? FailureProgram.JAX
        : TENSORFLOW.matcher(line).find() ? FailureProgram.TENSORFLOW : FailureProgram.XLA;
  }

  private Optional<Failure> begin(
      FailureProgram program, Optional<PrintedBytes> requested, FailureLines lines) {
    chunks = new BfcChunks();
    last =
        Optional.of(
            new Failure(
                program,
                "report of a BFC allocator",
                Failure.Cause.REQUEST,
                FailureNumbers.NONE.with(FailurePart.REQUESTED, requested),
                "",
                lines.number()));
    return last;
  }

  private Failure updated(Failure failure) {
    return new Failure(
        failure.program(),
        failure.kind(),
        chunks.isRefused(failure.requested()) ? Failure.Cause.REFUSAL : failure.cause(),
        chunks.numbers().and(failure.numbers()),
        failure.detail(),
        failure.line());
  }
}
