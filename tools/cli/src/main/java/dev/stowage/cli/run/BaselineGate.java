package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.gate.Baseline;
import dev.stowage.cli.gate.BaselineComparison;
import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.BaselineKeys;
import dev.stowage.cli.gate.BaselineReader;
import dev.stowage.cli.gate.BaselineWriter;
import dev.stowage.cli.gate.GatedResult;
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
import java.util.TreeSet;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** The baseline of a command: compares the figures of its inputs, or replaces the baseline. */
public final class BaselineGate {

  private final Diagnostics diagnostics;
  private final String command;
  private final Interruption interruption;
  private final String path;
  private final Baseline baseline;
  private final BaselineKeys keys;
  private final SortedMap<String, String> options;
  private final Optional<Tolerance> tolerance;
  private final Map<String, BaselineEntry> results = new HashMap<>();

  /**
   * Creates a gate.
   *
   * @param interruption keeps figures of plans that were cut out of the baseline
   * @param options the options that change the figures
   * @param tolerance the growth that is no regression; empty to replace the baseline
   */
  public BaselineGate(
      CommandSpec spec,
      Interruption interruption,
      String path,
      Baseline baseline,
      BaselineKeys keys,
      SortedMap<String, String> options,
      Optional<Tolerance> tolerance) {
    diagnostics = Diagnostics.of(spec);
    command = spec.name();
    this.interruption = interruption;
    this.path = path;
    this.baseline = baseline;
    this.keys = keys;
    this.options = options;
    this.tolerance = tolerance;
  }

  /**
   * Checks the figures of an input or keeps them, prints messages and {@return the exit code}
   *
   * @param result returns the figures for the options that change them
   */
  int check(String file, Function<SortedMap<String, String>, GatedResult> result) {
    if (interruption.isInterrupted()) {
      return ExitCode.DONE; // the plans could be better
    }
    GatedResult now = result.apply(options);
    now.variation()
        .ifPresent(reason ->
            diagnostics.note(
                file, reason + ", so the figures for the baseline may differ in another run"));
    results.put(keys.of(file), now.entry());
    return tolerance.isEmpty() ? ExitCode.DONE : compare(file, now, tolerance.get());
  }

  private int compare(String file, GatedResult now, Tolerance allowed) {
    Optional<BaselineEntry> before = baseline.find(command, keys.of(file));
    if (before.isEmpty()) {
      diagnostics.report(
          "%s: the baseline %s has no '%s'; --update-baseline adds it", file, path, keys.of(file));
      return ExitCode.BAD_INPUT;
    }
    BaselineComparison comparison = new BaselineComparison(path, before.get(), now, allowed);
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
    return ExitCode.WORSE;
  }

  /**
   * {@return the exit code of the command}
   *
   * <p>Without a comparison, the method writes the baseline if all inputs have results. With a
   * comparison, it names the entries that were not compared.
   */
  public int finish(int exitCode, int fileCount) {
    if (tolerance.isEmpty()) {
      return update(exitCode, fileCount);
    }
    if (results.size() == fileCount) {
      note(others(baseline), "has inputs that were not compared");
    }
    return exitCode;
  }

  /** {@return the inputs of this command in a baseline that are not inputs now} */
  private SortedSet<String> others(Baseline of) {
    SortedSet<String> others = new TreeSet<>(of.keys(command));
    others.removeAll(results.keySet());
    return others;
  }

  private SortedSet<String> deleted(Baseline of) {
    SortedSet<String> deleted = others(of);
    deleted.removeIf(keys::exists);
    return deleted;
  }

  private int update(int exitCode, int fileCount) {
    boolean isPlanned = exitCode == ExitCode.DONE || exitCode == ExitCode.NO_PLAN;
    if (!isPlanned || results.size() < fileCount || interruption.isInterrupted()) {
      diagnostics.report(path + ": not updated, because not all inputs have results");
      return exitCode;
    }
    SortedSet<String> deleted = new TreeSet<>();
    try {
      new WholeFile(path)
          .update(out -> {
            // Other commands may have updated the file since this one read it.
            Baseline latest = BaselineReader.readIfExists(path).orElse(Baseline.EMPTY);
            deleted.addAll(deleted(latest));
            BaselineWriter.write(latest.with(command, results, deleted), out);
          });
      diagnostics.report("wrote " + path);
      note(deleted, "inputs that no longer exist are removed");
      return exitCode;
    } catch (MalformedFileException e) {
      return ExitCode.graver(exitCode, diagnostics.reportFailure(path, e));
    } catch (IOException e) {
      return ExitCode.graver(exitCode, diagnostics.reportUnwritten(path, e));
    }
  }

  private void note(SortedSet<String> inputs, String sentence) {
    if (!inputs.isEmpty()) {
      diagnostics.note(path, sentence + ": " + String.join(", ", inputs));
    }
  }
}
