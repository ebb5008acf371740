package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The report of a BFC allocator of TensorFlow (since 1.0), XLA or ONNX Runtime, whole or cut. */
final class BfcText implements FailureText {

  private static final String KIND = "report of a BFC allocator";

  private static final String START = "ran out of memory trying to allocate";

  /** The same words with this count are logged beside a report. */
  private static final String AGAIN = "with freed_by_count=";

  private static final Phrase ROUNDED = Phrase.of("\\(rounded to #\\)");
  private static final Phrase REQUESTED = Phrase.of("trying to allocate {}");

  private static final Pattern MAP = Pattern.compile("[*_x]{100}");

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
    if (text.startsWith(START)) {
      return start(lines, text);
    } else if (text.startsWith("Summary")) {
      chunks.end();
    } else if (text.startsWith("Chunks of size")) {
      chunks.readClass(lines.text(0, 1));
    } else if (text.startsWith("memory_limit_")) {
      chunks.readTotals(lines.text(0, 1));
      chunks.end();
    } else if (text.startsWith("Limit")) {
      chunks.readStatistics(text);
      chunks.end();
    } else if (text.startsWith("*") || text.startsWith("_")) {
      Matcher map = MAP.matcher(lines.text(0, 1));
      last.flatMap(Failure::requested)
          .filter(_ -> map.find())
          .ifPresent(requested -> chunks.readMap(map.group(), requested));
    } else {
      readChunk(lines, text);
    }
    Optional<Failure> before = last;
    last = last.map(this::updated);
    return last.equals(before) && lines.number() > before.map(Failure::line).orElse(0L)
        ? Optional.empty()
        : last;
  }

  private Optional<Failure> start(FailureLines lines, String text) {
    if (text.contains("not a failure") || (text.contains(AGAIN) && last.isPresent())) {
      return Optional.empty();
    }
    chunks = new BfcChunks();
    Optional<PrintedBytes> rounded = ROUNDED.find(text).filter(number -> number.bytes() > 0);
    last =
        Optional.of(
            new Failure(
                program(lines.text(0, 1)),
                KIND,
                Failure.Cause.REQUEST,
                FailureNumbers.NONE.with(
                    FailurePart.REQUESTED, rounded.or(() -> REQUESTED.find(text))),
                "",
                lines.number()));
    return last;
  }

  /** {@return the program that has compiled the allocator from a file with this path} */
  private static FailureProgram program(String line) {
    if (line.contains("external/org_tensorflow")
        || line.contains("external/tsl")
        || line.contains("external/xla")) {
      return FailureProgram.JAX;
    }
    return line.contains("tensorflow/core")
            || line.contains("tensorflow/tsl")
            || line.contains("local_tsl")
            || line.contains("local_xla")
        ? FailureProgram.TENSORFLOW
        : FailureProgram.XLA;
  }

  private void readChunk(FailureLines lines, String text) {
    if (last.isEmpty() || chunks.isEnded()) {
      // The start of the report is missing.
      chunks = new BfcChunks();
      last =
          Optional.of(
              new Failure(
                  FailureProgram.XLA,
                  KIND,
                  Failure.Cause.REQUEST,
                  FailureNumbers.NONE,
                  "",
                  lines.number()));
    }
    chunks.readChunk(text);
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
