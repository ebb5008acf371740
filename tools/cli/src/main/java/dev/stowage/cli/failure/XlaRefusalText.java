package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The one-line messages of XLA, JAX and TensorFlow on a request that failed. */
final class XlaRefusalText implements FailureText {

  private static final int MAX_LINES = 4;

  private static final String FROM_DEVICE = "from device:";
  private static final String TENSOR = "OOM when allocating tensor";

  private static final List<Phrase> REQUESTED =
      Stream.of(
              "trying to allocate # bytes",
              "Out of memory allocating # bytes",
              "\\({}\\) on device",
              "request for {} ",
              "Failed to allocate # bytes for new constant",
              "failed to alloc(?:ate)? [^ ]+ \\(# bytes\\) from device:",
              "failed to alloc(?:ate)? # bytes from device:",
              "failed to alloc(?:ate)? {} ")
          .map(Phrase::of)
          .toList();

  private static final Pattern SHAPE =
      Pattern.compile(TENSOR + " with shape ?(\\[[0-9,]{0,80}\\]) and type (\\w{1,20})");

  @Override
  public List<String> marks() {
    return List.of(
        "memory while trying to allocate",
        "Out of memory allocating",
        "Failed to allocate request for",
        "bytes for new constant",
        FROM_DEVICE,
        TENSOR);
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    // The number may be before the mark.
    String text = lines.text(0, MAX_LINES);
    if (text.contains(FROM_DEVICE) && !text.contains("failed to alloc")) {
      return Optional.empty();
    }
    Matcher shape = SHAPE.matcher(text);
    boolean isTensor = lines.indexOf(TENSOR) >= 0;
    return Optional.of(
        new Failure(
            program(text),
            isTensor ? "message of TensorFlow" : "message of XLA",
            text.contains(FROM_DEVICE) ? Failure.Cause.REFUSAL : Failure.Cause.REQUEST,
            isTensor
                ? FailureNumbers.NONE
                : FailureNumbers.NONE.with(
                    FailurePart.REQUESTED,
                    REQUESTED.stream().flatMap(phrase -> phrase.find(text).stream()).findFirst()),
            shape.find()
                ? "a tensor of shape " + shape.group(1) + " and type " + shape.group(2)
                : "",
            lines.number()));
  }

  private static FailureProgram program(String text) {
    return text.contains("jaxlib")
            || text.contains("XlaRuntimeError")
            || text.contains("JaxRuntimeError")
            || text.contains("xla/python/")
            || text.contains("pjrt")
        ? FailureProgram.JAX
        : text.contains(TENSOR) || text.contains("tensorflow.python")
            ? FailureProgram.TENSORFLOW
            : FailureProgram.XLA;
  }
}
