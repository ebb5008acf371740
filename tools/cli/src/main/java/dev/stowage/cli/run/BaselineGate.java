package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.gate.Baseline;
import dev.stowage.cli.gate.BaselineComparison;
import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.BaselineKeys;
import dev.stowage.cli.gate.Tolerance;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options that compare the figures of a command with an earlier run, or replace its figures.
 */
public final class BaselineGate {

  @Option(
      names = "--baseline",
      paramLabel = "PATH",
      description = {
        "Exit with 5 if a figure grew against those in the .json file PATH.",
        "Inputs are known by their paths relative to the folder of PATH."
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

  private Baseline baseline = Baseline.EMPTY;
  private SortedMap<String, String> options = new TreeMap<>();
  private final Map<String, BaselineEntry> results = new HashMap<>();

  /** The work of a command on its inputs. */
  public interface Work {

    /** Processes the inputs and {@return the gravest exit code} */
    int run() throws IOException;
  }

  /** {@return true if figures are compared or recorded, so that they must be repeatable} */
  public boolean isGiven() {
    return path.isPresent();
  }

  private BaselineKeys keys() {
    return new BaselineKeys(path.orElseThrow());
  }

  /**
   * Checks the options.
   *
   * @param inputs the files of the command line
   * @param outputs the files that the command writes; the baseline is one of them
   * @throws ParameterException if the options contradict each other, the inputs or the outputs
   */
  public void check(List<String> inputs, OutputPaths outputs) {
    if (path.isEmpty()) {
      if (isUpdated || tolerance.isPresent()) {
        throw Usage.error(
            spec, (isUpdated ? "--update-baseline" : "--tolerance") + " needs --baseline PATH");
      }
      return;
    }
    outputs.add("--baseline", path.get(), List.of());
    Map<String, String> inputsByKey = new HashMap<>();
    for (String input : inputs) {
      String other = inputsByKey.put(keys().of(input), input);
      if (other != null) {
        throw Usage.error(
            spec, "'%s' and '%s' are one input of --baseline; omit one of them", other, input);
      }
    }
  }

  /**
   * Compares the figures of a command with the baseline or replaces it, if there is one, and
   * {@return the exit code}
   *
   * @param recorded returns the options that change the figures
   * @param usual the tolerance if none is given
   * @param inputCount the number of inputs
   * @param interruption keeps figures of plans that were cut out of the baseline
   * @param work processes the inputs
   */
  public int gated(
      Function<BaselineKeys, SortedMap<String, String>> recorded,
      Tolerance usual,
      int inputCount,
      Interruption interruption,
      Work work)
      throws IOException {
    if (path.isEmpty()) {
      return work.run();
    }
    try {
      Optional<Baseline> existing = Baseline.readIfExists(path.get());
      if (existing.isEmpty() && !isUpdated) {
        throw new IOException("there is no such file; --update-baseline writes it");
      }
      baseline = existing.orElse(Baseline.EMPTY);
    } catch (IOException e) {
      return Diagnostics.of(spec).reportFailure(path.get(), e);
    }
    options = recorded.apply(keys());
    tolerance = tolerance.or(() -> Optional.of(usual));
    int exitCode = work.run();
    boolean isComplete = results.size() == inputCount && !interruption.isInterrupted();
    if (isUpdated) {
      return update(exitCode, isComplete);
    }
    if (isComplete) {
      note(others(baseline), "has inputs that were not compared");
    }
    return exitCode;
  }

  /** Checks the figures of an input or keeps them, prints messages and {@return the exit code} */
  int check(String file, BaselineEntry figures) {
    String key = keys().of(file);
    BaselineEntry now = figures.withOptions(options);
    results.put(key, now);
    if (isUpdated) {
      return ExitCode.DONE;
    }
    Diagnostics diagnostics = Diagnostics.of(spec);
    Optional<BaselineEntry> before = baseline.find(spec.name(), key);
    if (before.isEmpty()) {
      diagnostics.report(
          "%s: the baseline %s has no '%s'; --update-baseline adds it", file, path.get(), key);
      return ExitCode.BAD_INPUT;
    }
    BaselineComparison comparison =
        new BaselineComparison(path.get(), before.get(), now, tolerance.orElseThrow());
    Optional<String> refusal = comparison.refusal();
    if (refusal.isPresent()) {
      diagnostics.report(file + ": " + refusal.get());
      return ExitCode.BAD_INPUT;
    }
    List<String> regressions = comparison.regressions();
    if (regressions.isEmpty()) {
      comparison.improvement().ifPresent(sentence -> diagnostics.note(file, sentence));
      return ExitCode.DONE;
    }
    regressions.forEach(sentence -> diagnostics.report(file + ": " + sentence));
    comparison.causes().forEach(sentence -> diagnostics.report(file + ": " + sentence));
    if (spec.name().equals("plan")) {
      diagnostics.report("%s: stowage diff OLD NEW names the tensors that grew", file);
    }
    return ExitCode.WORSE;
  }

  /** {@return the inputs of this command in a baseline that are not inputs now} */
  private SortedSet<String> others(Baseline of) {
    SortedSet<String> others = new TreeSet<>(of.keys(spec.name()));
    others.removeAll(results.keySet());
    return others;
  }

  private int update(int exitCode, boolean isComplete) {
    String file = path.orElseThrow();
    Diagnostics diagnostics = Diagnostics.of(spec);
    if (!isComplete || (exitCode != ExitCode.DONE && exitCode != ExitCode.NO_PLAN)) {
      diagnostics.report(file + ": not updated, because not all inputs have results");
      return exitCode;
    }
    SortedSet<String> deleted = new TreeSet<>();
    try {
      new WholeFile(file)
          .update(out -> {
            // Other commands may have updated the file since this one read it.
            Baseline latest = Baseline.readIfExists(file).orElse(Baseline.EMPTY);
            deleted.addAll(others(latest));
            deleted.removeIf(keys()::exists);
            latest.with(spec.name(), results, deleted).write(out);
          });
      diagnostics.report("wrote " + file);
      note(deleted, "inputs that no longer exist are removed");
      return exitCode;
    } catch (MalformedFileException e) {
      return ExitCode.graver(exitCode, diagnostics.reportFailure(file, e));
    } catch (IOException e) {
      return ExitCode.graver(exitCode, diagnostics.reportUnwritten(file, e));
    }
  }

  private void note(SortedSet<String> inputs, String sentence) {
    if (!inputs.isEmpty()) {
      Diagnostics.of(spec).note(path.orElseThrow(), sentence + ": " + String.join(", ", inputs));
    }
  }
}
