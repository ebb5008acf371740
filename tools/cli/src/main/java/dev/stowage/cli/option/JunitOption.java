package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.JunitReport;
import dev.stowage.cli.run.Usage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option of commands that report the outcome of each input to a CI system. */
public final class JunitOption {

  @Option(
      names = "--report",
      order = ShortHelp.RARE,
      paramLabel = "junit=PATH",
      description = "Write the outcome of each input to PATH as JUnit XML.")
  private Optional<String> report = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** {@return the report of a command that reads the inputs and writes the other files} */
  public JunitReport start(List<String> inputs, List<String> written, Interruption interruption) {
    report
        .filter(value -> !value.matches("junit=.+"))
        .ifPresent(value -> {
          throw Usage.error(spec, "--report is '%s', expected junit=PATH", value);
        });
    Optional<String> path = report.map(value -> value.substring("junit=".length()));
    path.filter(file ->
            Stream.concat(inputs.stream(), written.stream())
                .anyMatch(other -> Diagnostics.isSamePath(file, other)))
        .ifPresent(file -> {
          throw Usage.error(
              spec,
              "--report writes '%s', which the command reads or writes, too; use another name",
              file);
        });
    return new JunitReport(spec, interruption, path);
  }
}
