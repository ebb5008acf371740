package dev.stowage.cli.command;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.run.Diagnostics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * {@code stowage sweep}: the name of the command in the help. The script {@code stowage} starts the
 * module {@code fleet} for it, which needs Apache Flink.
 */
@Command(
    name = "sweep",
    description = {
      "Runs plan, budget, replay or tune on each model or trace of many INPUTs.",
      "The files run in parallel on this machine, or on a cluster of Apache Flink."
    })
public final class SweepPlaceholder implements Callable<Integer> {

  // The command accepts all words, so that its message is the same for each command line.
  @SuppressWarnings("UnusedVariable")
  @Parameters(arity = "0..*", paramLabel = "INPUT", description = "Models, traces or folders.")
  private List<String> inputs = List.of();

  @SuppressWarnings("UnusedVariable")
  @Unmatched
  private List<String> options = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Diagnostics.of(spec)
        .report(
            "a sweep needs Apache Flink, which this download lacks; run ./stowage sweep in a checkout of the repository");
    return ExitCode.USAGE;
  }
}
