package dev.stowage.cli.run;

import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.HtmlPrinter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The page of a command with one answer. */
public record PageOutput(String path, CommandSpec spec) {

  /**
   * {@return the page of an option; empty if it is not given}
   *
   * @param inputs the inputs, which the page must not replace
   * @throws ParameterException if the name does not end in .html, or the file is an input
   */
  public static Optional<PageOutput> of(
      Optional<String> output, List<String> inputs, CommandSpec spec) {
    output.ifPresent(path -> new OutputPaths(spec, inputs).add("--output", path, List.of(".html")));
    return output.map(path -> new PageOutput(path, spec));
  }

  /**
   * Writes an answer, and {@return the exit code}
   *
   * @param notes the notes that the command prints
   */
  public int write(Answer answer, List<String> notes) {
    return Diagnostics.of(spec)
        .write(path, out -> HtmlPrinter.print(answer, CommandFacts.of(spec, notes), out));
  }
}
