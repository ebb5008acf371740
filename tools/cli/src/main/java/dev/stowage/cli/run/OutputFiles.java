package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.ReportFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The files of {@code --output}.
 *
 * @param <R> the report that they contain
 */
public final class OutputFiles<R> {

  private final List<ReportFile<R>> files;
  private final Diagnostics diagnostics;

  private OutputFiles(List<ReportFile<R>> files, Diagnostics diagnostics) {
    this.files = files;
    this.diagnostics = diagnostics;
  }

  /**
   * {@return the files of paths}
   *
   * @param format returns the file of a path, or empty if its extension is not known
   * @throws ParameterException if an extension is not known
   */
  public static <R> OutputFiles<R> of(
      List<String> paths,
      Function<String, Optional<ReportFile<R>>> format,
      String expected,
      CommandSpec spec) {
    List<ReportFile<R>> files = new ArrayList<>();
    for (String path : paths) {
      files.add(
          format
              .apply(path)
              .orElseThrow(() ->
                  Usage.error(
                      spec, "--output is '%s', expected a name that ends in %s", path, expected)));
    }
    return new OutputFiles<>(files, Diagnostics.of(spec));
  }

  /**
   * Checks the paths of the option.
   *
   * @param isTogether true if .html files can contain several inputs
   * @throws ParameterException if there are several inputs for a file of one, or an output
   *     overwrites an input or another output
   */
  public static void check(
      List<String> outputs, List<String> inputs, boolean isTogether, CommandSpec spec) {
    if (inputs.size() > 1
        && outputs.stream().anyMatch(path -> !isTogether || !OutputPaths.isPage(path))) {
      throw Usage.error(
          spec,
          "--output writes the plan of one FILE, but there are %d%s",
          inputs.size(),
          isTogether ? " (an .html file can contain all of them)" : "");
    }
    if (inputs.size() > 1 && outputs.size() > 1) {
      throw Usage.error(
          spec, "--output names %d pages of several FILEs, expected one", outputs.size());
    }
    OutputPaths paths = new OutputPaths(spec, inputs);
    outputs.forEach(path -> paths.add("--output", path));
  }

  /** Writes the files and {@return the exit code} */
  public int write(R report) {
    int exitCode = ExitCode.DONE;
    for (ReportFile<R> file : files) {
      int written = diagnostics.write(file.path(), () -> file.write(report));
      if (written == ExitCode.DONE) {
        file.format()
            .omission(report)
            .ifPresent(omission -> diagnostics.note(file.path(), omission));
      }
      exitCode = ExitCode.graver(exitCode, written);
    }
    return exitCode;
  }
}
