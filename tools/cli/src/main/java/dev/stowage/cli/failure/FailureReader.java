package dev.stowage.cli.failure;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** A reader of texts. It finds the last failure in them. */
public final class FailureReader {

  /** The most lines between two texts on the same failure. */
  private static final int MAX_GAP = 50;

  /**
   * The most lines between two texts of the kernel on the same failure. They enclose the table of
   * processes.
   */
  private static final int MAX_KERNEL_GAP = 400;

  /** The most bytes that BFC allocators add to a request. */
  private static final long ROUNDING = 255;

  private final List<FailureGrammar> grammars = FailureGrammar.all();
  private Optional<Failure> last = Optional.empty();
  private long count;
  private long lastLine;

  private FailureReader() {}

  /**
   * The failures of a text.
   *
   * @param last the last failure; empty if there is none
   * @param count the number of failures
   */
  public record Found(Optional<Failure> last, long count) {}

  /**
   * {@return the failures of a text}
   *
   * @param in the text, of any length; the caller closes it
   */
  public static Found read(InputStream in) throws IOException {
    FailureReader reader = new FailureReader();
    FailureLines lines = new FailureLines(in);
    while (lines.next()) {
      reader.readLine(lines);
    }
    return new Found(reader.last, reader.count);
  }

  private void readLine(FailureLines lines) {
    for (FailureGrammar grammar : grammars) {
      for (Mark mark : grammar.marks()) {
        int start = lines.indexOf(mark);
        if (start >= 0) {
          grammar.read(lines, start).ifPresent(failure -> add(failure, lines.number()));
          break;
        }
      }
    }
  }

  private void add(Failure failure, long line) {
    boolean hasFailed = last.filter(before -> before.cause() != Failure.Cause.GROWTH).isPresent();
    if (!hasFailed) {
      last = Optional.of(failure);
      count = 1;
    } else if (failure.cause() == Failure.Cause.GROWTH || failure.line() < last.get().line()) {
      return; // no failure, or more about one before the last
    } else if (failure.line() == last.get().line() && isSameKind(failure)) {
      last = Optional.of(failure);
    } else if (line - lastLine <= (failure.program().isKernel() ? MAX_KERNEL_GAP : MAX_GAP)
        && continues(failure)) {
      last = Optional.of(last.get().and(failure));
    } else {
      last = Optional.of(failure);
      count++;
    }
    lastLine = line;
  }

  private boolean isSameKind(Failure failure) {
    return failure.kind().equals(last.orElseThrow().kind());
  }

  /** {@return true if a text is about the same failure as the one before} */
  private boolean continues(Failure failure) {
    Failure before = last.orElseThrow();
    boolean isFamily =
        before.program() == failure.program()
            || (before.program().isXla() && failure.program().isXla())
            || (before.program().isKernel() && failure.cause() == Failure.Cause.KILLED);
    long rounding = before.program().isXla() ? ROUNDING : 0;
    Optional<PrintedBytes> one = before.requested();
    Optional<PrintedBytes> other = failure.requested();
    return isFamily
        && (one.isEmpty()
            || other.isEmpty()
            || (before.program().isXla() && before.cause() == Failure.Cause.REFUSAL)
            || (one.get().lowBytes() - other.get().highBytes() <= rounding
                && other.get().lowBytes() - one.get().highBytes() <= rounding));
  }
}
