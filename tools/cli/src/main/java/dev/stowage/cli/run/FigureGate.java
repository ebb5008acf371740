package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.gate.GatedResult;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/** A check of the figures of each input, after its results are printed. */
public interface FigureGate {

  /** A gate that accepts all figures. */
  FigureGate OPEN = (_, _) -> ExitCode.DONE;

  /** {@return the value of an option in the baseline entry of an input, if it has one} */
  default Optional<String> recorded(String file, String option) {
    return Optional.empty();
  }

  /**
   * Checks the figures of an input, prints messages and {@return the exit code}
   *
   * @param result returns the figures for the options that change them. It is called only if there
   *     is a baseline
   */
  int check(String file, Function<SortedMap<String, String>, GatedResult> result);
}
