package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.WorkInterruptedException;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The run of a command on its inputs, one after the other.
 *
 * <p>A command reads an input, works on it and returns an {@link Outcome}. All else is here: the
 * progress bar, the notes before the answer, the files, the failures, the comparison with a
 * baseline, and the next command as the last line. A failure of one input does not affect the
 * others. After an interruption, the command names the inputs that are left.
 */
public final class InputRun {

  private final CommandSpec spec;
  private final Interruption interruption;
  private final AnswerPrinter printer;
  private final Diagnostics diagnostics;
  private final String doing;
  private final String done;
  private Optional<BaselineGate> gate = Optional.empty();
  private Consumer<String> failures = _ -> {};
  private IntSupplier end = () -> ExitCode.DONE;
  private boolean isTogether;

  /** The commands to run next, which are printed after all inputs. */
  private final Set<String> next = new LinkedHashSet<>();

  /** The inputs of each note that is not yet printed; several inputs can share a note. */
  private final Map<String, List<String>> notes = new LinkedHashMap<>();

  /** The work of a command on one input. */
  public interface Work {

    /**
     * {@return the outcome}
     *
     * @param progress shows the progress, and ends before the outcome is printed
     */
    Outcome run(String input, TerminalProgress progress) throws Exception;
  }

  /**
   * Creates a run. From now on, the command ends itself after an interruption.
   *
   * @param doing the work in the progress bar, such as {@code Checking}
   * @param done the participle for an input in messages, such as {@code checked}
   */
  public InputRun(
      CommandSpec spec,
      Interruption interruption,
      AnswerPrinter printer,
      String doing,
      String done) {
    this.spec = spec;
    this.interruption = interruption;
    this.printer = printer;
    this.doing = doing;
    this.done = done;
    diagnostics = Diagnostics.of(spec);
    interruption.expect();
  }

  /** Compares the figures of each input with a baseline, if it is given. */
  public InputRun withGate(BaselineGate baseline) {
    gate = Optional.of(baseline).filter(BaselineGate::isGiven);
    return this;
  }

  /** Passes on the reason why an input has no result, with its name. */
  public InputRun telling(Consumer<String> listener) {
    failures = listener;
    return this;
  }

  /** Writes a file about all inputs after them, such as an index; it returns the exit code. */
  public InputRun ending(IntSupplier output) {
    end = output;
    return this;
  }

  /**
   * Prints no answers and next commands of single inputs, and their notes at the end: the command
   * prints one answer on all inputs. A note that inputs share is printed once.
   */
  public InputRun together() {
    isTogether = true;
    return this;
  }

  /** Works on the inputs in their order and {@return the gravest exit code} */
  public int run(List<String> inputs, Work work) throws IOException {
    long startNanos = System.nanoTime();
    int exitCode = ExitCode.DONE;
    for (int i = 0; i < inputs.size(); i++) {
      String input = inputs.get(i);
      int ofInput;
      try {
        Outcome outcome;
        try (TerminalProgress bar = progress(i, inputs.size(), startNanos)) {
          outcome = work.run(input, bar);
        }
        printFirst(input, outcome);
        ofInput = complete(input, outcome);
      } catch (WorkInterruptedException e) {
        List<String> omitted = inputs.subList(i, inputs.size());
        omitted.forEach(it -> {
          diagnostics.report("interrupted: not %s: %s", done, it);
          failures.accept(Text.of("interrupted: not %s: %s", done, it));
        });
        break;
      } catch (ParameterException e) {
        throw e; // an option that is wrong for this input
      } catch (Exception | Error e) {
        failures.accept(diagnostics.failureText(input, e));
        ofInput = diagnostics.reportFailure(input, e);
      }
      exitCode = ExitCode.graver(exitCode, ofInput);
    }
    printNotes();
    exitCode = ExitCode.graver(exitCode, end.getAsInt());
    printNext();
    return exitCode;
  }

  /**
   * Prints and writes an outcome before the outcome of the work on an input, and {@return the exit
   * code}
   */
  public int finish(String input, Outcome outcome) throws IOException {
    printFirst(input, outcome);
    return complete(input, outcome);
  }

  /** Prints and writes an outcome on all inputs, and {@return the exit code} */
  public int conclude(String input, Outcome outcome) throws IOException {
    int exitCode = finish(input, outcome);
    printNext();
    return exitCode;
  }

  private void printNext() {
    next.forEach(diagnostics::next);
    next.clear();
  }

  /** {@return the bar of an input, such as {@code Planning 2 of 5}} */
  private TerminalProgress progress(int index, int count, long startNanos) {
    String label = count == 1 ? doing : Text.of("%s %d of %d", doing, index + 1, count);
    return new TerminalProgress(label, (System.nanoTime() - startNanos) / 1_000_000);
  }

  private void printFirst(String input, Outcome outcome) throws IOException {
    for (String note : outcome.notes) {
      notes.computeIfAbsent(note, _ -> new ArrayList<>()).add(input);
    }
    if (!isTogether) {
      printNotes();
      for (Answer answer : outcome.answers) {
        print(answer);
      }
    }
  }

  private int complete(String input, Outcome outcome) {
    int exitCode = outcome.exitCode;
    for (IntSupplier output : outcome.outputs) {
      exitCode = ExitCode.graver(exitCode, output.getAsInt());
    }
    outcome.failures.forEach(failure -> diagnostics.report(input + ": " + failure));
    boolean hasResult =
        (exitCode == ExitCode.DONE || exitCode == ExitCode.NO_PLAN)
            && !interruption.isInterrupted(); // otherwise the plans could be better
    if (hasResult && outcome.figures.isPresent() && gate.isPresent()) {
      exitCode = ExitCode.graver(exitCode, gate.get().check(input, outcome.figures.get().get()));
    }
    if (!isTogether && printer.isTable()) {
      outcome.next.ifPresent(next::add);
    }
    return exitCode;
  }

  private void printNotes() {
    notes.forEach((note, inputs) -> diagnostics.note(String.join(", ", inputs), note));
    notes.clear();
  }

  /** Prints an answer on all inputs. */
  public void print(Answer answer) throws IOException {
    printer.print(answer, spec.commandLine().getOut());
  }
}
