package dev.stowage.fleet;

import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The options of the command that items run, after {@code --}. */
final class ItemOptions {

  /** The options that write a file, which would be that of the last item. */
  private static final Set<String> WRITES =
      Set.of(
          "--output",
          "--placements",
          "--profile",
          "--calibrate",
          "--junit",
          "--baseline",
          "--update-baseline");

  private ItemOptions() {}

  /** Checks that the options are those of a command with one result. */
  static void check(List<String> options, CommandSpec spec) {
    for (String option : options) {
      String name = option.startsWith("--") ? option.replaceFirst("=.*", "") : option;
      if (WRITES.contains(name)) {
        throw usage(
            name + " is for a single file, but a sweep has many; --results writes all results",
            spec);
      }
      if (name.equals("--format")) {
        throw usage("--format is an option of the sweep; write it before --", spec);
      }
      if (name.equals("-h") || name.startsWith("--help") || name.equals("--version")) {
        throw usage(name + " is no option of an item; run the command itself with it", spec);
      }
      if (name.equals("--")) {
        throw usage("-- is there twice, expected once", spec);
      }
    }
  }

  private static ParameterException usage(String message, CommandSpec spec) {
    return new ParameterException(spec.commandLine(), message);
  }
}
