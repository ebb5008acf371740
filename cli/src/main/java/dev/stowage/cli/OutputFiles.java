package dev.stowage.cli;

import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.output.ReportFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The files of {@code --output}.
 *
 * @param <R> the report that they contain
 */
final class OutputFiles<R> {

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
   * @param expected the known extensions, for messages
   * @throws ParameterException if an extension is not known
   */
  static <R> OutputFiles<R> of(
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
                  new ParameterException(
                      spec.commandLine(),
                      String.format(
                          Locale.ROOT,
                          "--output is '%s', expected a name that ends in %s",
                          path,
                          expected))));
    }
    return new OutputFiles<>(files, Diagnostics.of(spec));
  }

  /**
   * Checks the paths of the option.
   *
   * @param inputs the files to plan
   * @throws ParameterException if there are several inputs, or an output overwrites the input or
   *     another output
   */
  static void check(List<String> outputs, List<String> inputs, CommandSpec spec) {
    if (!outputs.isEmpty() && inputs.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--output writes the plan of one FILE, but there are " + inputs.size());
    }
    for (int i = 0; i < outputs.size(); i++) {
      rejectInput(outputs.get(i), inputs.getFirst(), spec);
      for (String other : outputs.subList(0, i)) {
        if (Diagnostics.isSamePath(outputs.get(i), other)) {
          throw new ParameterException(
              spec.commandLine(),
              String.format(
                  Locale.ROOT,
                  "--output is '%s' and '%s', which are the same file; use another name for one",
                  other,
                  outputs.get(i)));
        }
      }
    }
  }

  private static void rejectInput(String output, String file, CommandSpec spec) {
    String input = file.equals(InputReader.STANDARD_INPUT) ? "/dev/stdin" : file;
    if (Diagnostics.isSame(output, input)) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(
              Locale.ROOT, "--output is '%s', which is the input; use another name", output));
    }
  }

  boolean isEmpty() {
    return files.isEmpty();
  }

  /** Writes the files and {@return the exit code} */
  int write(R report) {
    int exitCode = ExitCode.DONE;
    for (ReportFile<R> file : files) {
      try {
        file.write(report);
        diagnostics.report("wrote " + file.path());
        file.omission(report).ifPresent(omission -> diagnostics.note(file.path(), omission));
      } catch (IOException e) {
        exitCode = diagnostics.reportUnwritten(file.path(), e);
      }
    }
    return exitCode;
  }
}
