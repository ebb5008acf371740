package dev.stowage.cli.option;

import dev.stowage.cli.console.SecondsConverter;
import dev.stowage.cli.run.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for samples of a process at regular times. */
public final class SamplingOptions {

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = SecondsConverter.class,
      description = {
        "Sample the process at this interval, such as 10s, and report what grows",
        "and why."
      })
  private Optional<Duration> interval = Optional.empty();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = SecondsConverter.class,
      description = {
        "The time from the first sample to the last one, such as 10m (default:",
        "until Ctrl-C or the end of the process)."
      })
  private Optional<Duration> length = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** {@return the interval; empty if there is one sample} */
  public Optional<Duration> interval() {
    return interval;
  }

  /** {@return the time from the first sample to the last one; empty if it has no limit} */
  public Optional<Duration> length() {
    return length;
  }

  /**
   * Checks the options.
   *
   * @param processes the processes and dumps of the command line
   * @param isProcess true if the first one is a process
   * @throws ParameterException if the options do not fit
   */
  public void check(List<String> processes, boolean isProcess) {
    if (interval.isEmpty()) {
      if (length.isPresent()) {
        throw Usage.error(spec, "--for needs an interval, such as --every 10s");
      }
      return;
    }
    if (processes.size() > 1) {
      throw Usage.error(spec, "--every samples one PROCESS, but there are %d", processes.size());
    }
    if (!isProcess) {
      throw Usage.error(
          spec, "--every needs a running process, but '%s' is a dump", processes.getFirst());
    }
  }
}
