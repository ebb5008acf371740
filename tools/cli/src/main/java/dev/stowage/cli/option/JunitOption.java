package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.JunitRun;
import dev.stowage.cli.run.Usage;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of commands that report the outcome of each input to a CI system. */
public final class JunitOption {

  private static final String STANDARD_OUTPUT = "junit";
  private static final String FILE = "junit=";

  @Option(
      names = "--report",
      order = ShortHelp.RARE,
      paramLabel = "R",
      description = {
        "junit=PATH: write the outcome of each input to PATH as JUnit XML;",
        "junit: print it instead of the results."
      })
  private Optional<String> report = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the record of the outcomes, which observes the messages of the command from now on}
   *
   * @param inputs the files of the command line
   * @param written the other files that the command writes
   * @param printsTable false if the user asked for results for programs
   * @param interruption ends the command
   * @throws ParameterException if the option contradicts another one
   */
  public JunitRun start(
      List<String> inputs, List<String> written, boolean printsTable, Interruption interruption) {
    if (report.isEmpty()) {
      return JunitRun.none(spec, interruption);
    }
    String value = report.get();
    if (value.equals(STANDARD_OUTPUT)) {
      if (!printsTable) {
        throw Usage.error(
            spec,
            "--report junit and --format both print to the standard output; use --report junit=PATH");
      }
      return JunitRun.toStandardOutput(spec, interruption, inputs);
    }
    if (!value.startsWith(FILE) || value.equals(FILE)) {
      throw Usage.error(spec, "--report is '%s', expected junit or junit=PATH", value);
    }
    String path = value.substring(FILE.length());
    if (inputs.stream().anyMatch(input -> Diagnostics.isSamePath(path, input))
        || written.stream().anyMatch(other -> Diagnostics.isSamePath(path, other))) {
      throw Usage.error(
          spec,
          "--report writes '%s', which the command reads or writes, too; use another name",
          path);
    }
    return JunitRun.toFile(spec, interruption, inputs, path);
  }
}
