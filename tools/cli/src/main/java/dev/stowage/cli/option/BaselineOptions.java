package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.gate.Baseline;
import dev.stowage.cli.gate.BaselineKeys;
import dev.stowage.cli.gate.BaselineReader;
import dev.stowage.cli.gate.Tolerance;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.BaselineGate;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.OutputPaths;
import dev.stowage.cli.run.Usage;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that compare the figures of a command with the figures of an earlier run. */
public final class BaselineOptions {

  @Option(
      names = "--baseline",
      paramLabel = "PATH",
      description = {
        "Exit with 5 if a figure grew against those in the .json file PATH,",
        "and name the tensors that are responsible. Inputs are known by their",
        "paths relative to the folder of PATH."
      })
  private Optional<String> path = Optional.empty();

  @Option(
      names = "--update-baseline",
      order = ShortHelp.RARE,
      description = {
        "Write the figures to the file of --baseline instead of comparing",
        "them. Entries of other inputs stay if these files exist."
      })
  private boolean isUpdated;

  @Option(
      names = "--tolerance",
      order = ShortHelp.RARE,
      paramLabel = "P",
      converter = ToleranceConverter.class,
      description = {
        "The growth that --baseline accepts: a percentage such as 1%% or 0.5,",
        "or bytes such as 64KiB (default: 0; 5%% and 8MiB for a measurement)."
      })
  private Optional<Tolerance> tolerance = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** {@return true if figures are compared or recorded, so that they must be repeatable} */
  public boolean isGiven() {
    return path.isPresent();
  }

  /** {@return the baseline file; empty if there is none} */
  public Optional<String> path() {
    return path;
  }

  /**
   * Checks the options.
   *
   * @param inputs the files of the command line
   * @param outputs the files of {@code --output}
   * @throws ParameterException if the options contradict each other, the inputs or the outputs
   */
  public void check(List<String> inputs, List<String> outputs) {
    if (path.isEmpty()) {
      if (isUpdated || tolerance.isPresent()) {
        throw Usage.error(
            spec, (isUpdated ? "--update-baseline" : "--tolerance") + " needs --baseline PATH");
      }
      return;
    }
    String file = path.get();
    OutputPaths paths = new OutputPaths(spec, inputs);
    outputs.forEach(output -> paths.add("--output", output));
    paths.add("--baseline", file);
    checkDifferent(file, inputs);
  }

  /** Checks that the inputs have different keys. */
  private void checkDifferent(String file, List<String> inputs) {
    Map<String, String> inputsByKey = new HashMap<>();
    BaselineKeys keys = new BaselineKeys(file);
    for (String input : inputs) {
      String other = inputsByKey.put(keys.of(input), input);
      if (other != null) {
        throw Usage.error(
            spec, "'%s' and '%s' are one input of --baseline; omit one of them", other, input);
      }
    }
  }

  /** The work of a command on its inputs. */
  public interface Work {

    /** Processes the inputs and {@return the gravest exit code} */
    int run(Optional<BaselineGate> gate) throws IOException;
  }

  /**
   * Compares the figures of a command with the baseline or replaces it, if there is one, and
   * {@return the exit code}
   *
   * @param options returns the options that change the figures
   * @param usual the tolerance if none is given
   * @param inputCount the number of inputs
   * @param interruption ends the command
   * @param work processes the inputs
   */
  public int gated(
      Function<BaselineKeys, SortedMap<String, String>> options,
      Tolerance usual,
      int inputCount,
      Interruption interruption,
      Work work)
      throws IOException {
    if (path.isEmpty()) {
      return work.run(Optional.empty());
    }
    String file = path.get();
    BaselineKeys keys = new BaselineKeys(file);
    BaselineGate gate;
    try {
      gate =
          new BaselineGate(
              spec,
              interruption,
              file,
              read(file),
              keys,
              options.apply(keys),
              isUpdated ? Optional.empty() : Optional.of(tolerance.orElse(usual)));
    } catch (IOException e) {
      return Diagnostics.of(spec).reportFailure(file, e);
    }
    return gate.finish(work.run(Optional.of(gate)), inputCount);
  }

  private Baseline read(String file) throws IOException {
    Optional<Baseline> existing = BaselineReader.readIfExists(file);
    if (existing.isEmpty() && !isUpdated) {
      throw new IOException("there is no such file; --update-baseline writes it");
    }
    return existing.orElse(Baseline.EMPTY);
  }
}
