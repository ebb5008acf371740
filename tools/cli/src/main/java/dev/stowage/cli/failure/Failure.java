package dev.stowage.cli.failure;

import java.util.Optional;

/**
 * A failure that a text describes.
 *
 * @param program the program that made the failed request
 * @param kind the text, a noun phrase such as {@code message of PyTorch (CUDA)}
 * @param cause the cause as far as the words of the text have it, without its numbers
 * @param numbers the numbers of the text
 * @param detail the object of the failure, such as the killed process or the largest buffer; empty
 *     if the text has none
 * @param line the number of the first line, from 1
 */
public record Failure(
    FailureProgram program,
    String kind,
    Cause cause,
    FailureNumbers numbers,
    String detail,
    long line) {

  /** The cause in the words of a text. */
  public enum Cause {
    /** A request failed; the numbers tell the cause. */
    REQUEST,
    /** A limit was exceeded that somebody set. */
    LIMIT,
    /** The device refused memory that the limit of the allocator permits. */
    REFUSAL,
    /** The machine had no free memory. */
    MACHINE,
    /** A process was killed for a lack of memory, of the machine or of a control group. */
    KILLED,
    /** No request failed: an allocator logged that it grew. */
    GROWTH
  }

  /** {@return the requested bytes} */
  Optional<PrintedBytes> requested() {
    return numbers.given(FailurePart.REQUESTED);
  }

  Failure with(Cause other, FailureNumbers others) {
    return new Failure(program, kind, other, others, detail, line);
  }

  /** {@return this failure with what an earlier text tells about the allocator} */
  Failure after(Failure earlier) {
    return new Failure(
        program,
        kind,
        cause,
        numbers.and(earlier.numbers),
        detail.isEmpty() ? earlier.detail : detail,
        line);
  }

  /**
   * {@return this failure with the numbers that another text has on it}
   *
   * @param later the failure in the later text; its numbers take precedence
   */
  Failure and(Failure later) {
    boolean isNamed = program != FailureProgram.XLA;
    return new Failure(
        isNamed ? program : later.program,
        later.kind,
        cause == Cause.REFUSAL || later.cause == Cause.REQUEST || later.cause == Cause.KILLED
            ? cause
            : later.cause,
        later.numbers.and(numbers),
        later.detail.isEmpty() ? detail : later.detail,
        line);
  }
}
