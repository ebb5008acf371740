package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.report.Answer;
import dev.stowage.pages.text.Conclusion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The outcome of a command for one input, in the parts that {@link InputRun} prints and writes. */
public final class Outcome {

  final List<Answer> answers;
  final List<String> notes = new ArrayList<>();
  final List<IntSupplier> outputs = new ArrayList<>();
  final List<String> failures = new ArrayList<>();
  int exitCode = ExitCode.DONE;
  Optional<String> next = Optional.empty();
  Optional<Supplier<BaselineEntry>> figures = Optional.empty();

  private Outcome(List<Answer> answers) {
    this.answers = List.copyOf(answers);
  }

  /** {@return an outcome with an answer} */
  public static Outcome of(Answer answer) {
    return new Outcome(List.of(answer));
  }

  /** {@return an outcome with several answers, such as one for each shape} */
  public static Outcome of(List<Answer> answers) {
    return new Outcome(answers);
  }

  /** {@return an outcome without an answer} */
  public static Outcome none() {
    return new Outcome(List.of());
  }

  /** Adds a note on the input. It is printed before the answers. */
  public Outcome noting(String note) {
    notes.add(note);
    return this;
  }

  /** Adds notes on the input. They are printed before the answers. */
  public Outcome noting(List<String> more) {
    notes.addAll(more);
    return this;
  }

  /** Adds a file that is written after the answers are printed; it returns the exit code. */
  public Outcome writing(IntSupplier output) {
    outputs.add(output);
    return this;
  }

  /** Sets the exit code if it is graver than the one so far. */
  public Outcome exiting(int code) {
    exitCode = ExitCode.graver(exitCode, code);
    return this;
  }

  /** Adds a failure: an exit code, and a message that the name of the input precedes. */
  public Outcome failing(int code, String message) {
    failures.add(message);
    return exiting(code);
  }

  /** Adds the failure of an answer that exceeds a limit; nothing if the message is empty. */
  public Outcome failing(Optional<String> message) {
    return message.isPresent() ? failing(ExitCode.NO_PLAN, message.get()) : this;
  }

  /** Sets the figures for a baseline, which are made only if there is one. */
  public Outcome gating(Supplier<BaselineEntry> result) {
    figures = Optional.of(result);
    return this;
  }

  /** Sets the command to run next. */
  public Outcome leadingTo(String command) {
    next = Optional.of(command);
    return this;
  }

  /** Sets the command to run next: the command of a conclusion, if it has one. */
  public Outcome leadingTo(Conclusion conclusion) {
    next = conclusion.command();
    return this;
  }
}
