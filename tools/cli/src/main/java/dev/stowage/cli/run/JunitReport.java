package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.pages.MarkupText;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** The outcomes of the inputs of a running command, as the JUnit XML that CI systems read. */
public final class JunitReport implements EachFile.Listener {

  private static final String START = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";

  private final CommandSpec spec;
  private final Interruption interruption;
  private final Optional<String> path;
  private final StringBuilder messages = new StringBuilder();
  private final StringBuilder cases = new StringBuilder();
  private int caseCount;

  /** Creates a report for a file, if there is one, which observes all messages from now on. */
  public JunitReport(CommandSpec spec, Interruption interruption, Optional<String> path) {
    this.spec = spec;
    this.interruption = interruption;
    this.path = path;
    PrintWriter err = spec.commandLine().getErr();
    path.ifPresent(_ -> spec.commandLine().setErr(new PrintWriter(new Observer(err), true)));
  }

  @Override
  public void finished(String file, int exitCode) {
    caseCount++;
    String text = MarkupText.escaped(takeMessages());
    cases.append("    <testcase classname=\"stowage\" name=\"" + MarkupText.escaped(file));
    if (exitCode == ExitCode.DONE && !interruption.isInterrupted()) {
      cases.append("\"/>\n");
      return;
    }
    boolean isWorse = exitCode == ExitCode.NO_PLAN || exitCode == ExitCode.WORSE;
    String problem = isWorse && !interruption.isInterrupted() ? "failure" : "error";
    String first = text.lines().findFirst().orElse("no result");
    cases.append("\">\n      <" + problem + " message=\"" + first + "\">" + text);
    cases.append("</" + problem + ">\n    </testcase>\n");
  }

  /** {@return the messages since the last call, without notes} */
  private String takeMessages() {
    String taken = messages.toString();
    messages.setLength(0);
    return taken
        .lines()
        .filter(line -> !line.startsWith("stowage: note: "))
        .map(line -> line.replaceFirst("^stowage: ", ""))
        .collect(Collectors.joining("\n"));
  }

  /** Writes the report: inputs without an outcome are errors; {@return the exit code} */
  public int finish(List<String> inputs, int exitCode) {
    if (path.isEmpty()) {
      return exitCode;
    }
    inputs.stream().skip(caseCount).forEach(input -> finished(input, ExitCode.FAILED));
    String suite = "  <testsuite name=\"" + spec.qualifiedName() + "\" tests=\"" + caseCount;
    String xml = START + suite + "\">\n" + cases + "  </testsuite>\n</testsuites>\n";
    WholeFile file = new WholeFile(path.get());
    return ExitCode.graver(
        exitCode, Diagnostics.of(spec).write(path.get(), () -> file.write(out -> out.write(xml))));
  }

  /** Prints the messages of the command, and keeps them. */
  private final class Observer extends Writer {

    private final PrintWriter err;

    Observer(PrintWriter err) {
      this.err = err;
    }

    @Override
    public void write(char[] characters, int offset, int length) {
      messages.append(characters, offset, length);
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
  }
}
