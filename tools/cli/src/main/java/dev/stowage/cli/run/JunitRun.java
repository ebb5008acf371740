package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.JunitFile;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Interruption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The outcomes of the inputs of a running command, for a report in JUnit XML. */
public final class JunitRun implements EachFile.Listener {

  private static final String PREFIX = "stowage: ";
  private static final String NOTE = PREFIX + "note: ";

  private final CommandSpec spec;
  private final Interruption interruption;
  private final List<String> inputs;
  private final Target target;
  private final Transcript messages;
  private final LocalDateTime start = LocalDateTime.now(ZoneOffset.UTC);
  private final List<JunitFile.Case> cases = new ArrayList<>();
  private long caseNanos = System.nanoTime();

  /** The target of the report. */
  private interface Target {

    /** Writes the report and {@return the exit code} */
    int write(JunitFile file) throws IOException;
  }

  private JunitRun(
      CommandSpec spec,
      Interruption interruption,
      List<String> inputs,
      Target target,
      Transcript messages) {
    this.spec = spec;
    this.interruption = interruption;
    this.inputs = inputs;
    this.target = target;
    this.messages = messages;
  }

  /** {@return the outcomes of a command without a report} */
  public static JunitRun none(CommandSpec spec, Interruption interruption) {
    return new JunitRun(
        spec,
        interruption,
        List.of(),
        _ -> ExitCode.DONE,
        new Transcript(spec.commandLine().getErr()));
  }

  /** {@return the outcomes for a file} */
  public static JunitRun toFile(
      CommandSpec spec, Interruption interruption, List<String> inputs, String path) {
    return new JunitRun(
        spec,
        interruption,
        inputs,
        file -> Diagnostics.of(spec).write(path, () -> new WholeFile(path).write(file::write)),
        Transcript.of(spec));
  }

  /** {@return the outcomes for the standard output, in place of the results} */
  public static JunitRun toStandardOutput(
      CommandSpec spec, Interruption interruption, List<String> inputs) {
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().setOut(new PrintWriter(Writer.nullWriter()));
    return new JunitRun(
        spec,
        interruption,
        inputs,
        file -> {
          file.write(out);
          out.flush();
          return ExitCode.DONE;
        },
        Transcript.of(spec));
  }

  @Override
  public void finished(String file, int exitCode) {
    long nanos = System.nanoTime();
    double seconds = (nanos - caseNanos) / 1e9;
    caseNanos = nanos;
    cases.add(
        new JunitFile.Case(file, seconds, problem(exitCode), type(exitCode), messages.take()));
  }

  private String type(int exitCode) {
    return interruption.isInterrupted() ? "interrupted" : "exit code " + exitCode;
  }

  private Optional<JunitFile.Problem> problem(int exitCode) {
    if (interruption.isInterrupted()) {
      return Optional.of(JunitFile.Problem.error);
    }
    return switch (exitCode) {
      case ExitCode.DONE -> Optional.empty();
      case ExitCode.NO_PLAN, ExitCode.WORSE -> Optional.of(JunitFile.Problem.failure);
      default -> Optional.of(JunitFile.Problem.error);
    };
  }

  /**
   * Writes the report and {@return the exit code of the command}
   *
   * <p>Inputs without an outcome are errors, with the messages after the last outcome.
   */
  public int finish(int exitCode) throws IOException {
    List<String> last = messages.take();
    for (String input : inputs.subList(Math.min(cases.size(), inputs.size()), inputs.size())) {
      cases.add(
          new JunitFile.Case(input, 0, Optional.of(JunitFile.Problem.error), type(exitCode), last));
    }
    String suite = spec.qualifiedName();
    return ExitCode.graver(exitCode, target.write(new JunitFile(suite, start, cases)));
  }

  /** The messages of a command, which it also prints. */
  private static final class Transcript extends Writer {

    private final PrintWriter err;
    private final StringBuilder text = new StringBuilder();

    private Transcript(PrintWriter err) {
      this.err = err;
    }

    /** Observes the messages of a command from now on, and {@return them} */
    static Transcript of(CommandSpec spec) {
      CommandLine command = spec.commandLine();
      Transcript transcript = new Transcript(command.getErr());
      command.setErr(new PrintWriter(transcript, true));
      return transcript;
    }

    @Override
    public void write(char[] characters, int offset, int length) {
      text.append(characters, offset, length);
      err.write(characters, offset, length);
    }

    @Override
    public void flush() {
      err.flush();
    }

    @Override
    public void close() {
      err.flush();
    }

    /** {@return the messages since the last call, without notes} */
    List<String> take() {
      List<String> lines =
          text.toString()
              .lines()
              .filter(line -> !line.startsWith(NOTE))
              .map(line -> line.startsWith(PREFIX) ? line.substring(PREFIX.length()) : line)
              .toList();
      text.setLength(0);
      return lines;
    }
  }
}
