package dev.stowage.cli.run;

import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.HtmlPrinter;
import dev.stowage.pages.text.RunFacts;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The page of a command with one result. */
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
   * @param made the participle for the content, such as {@code Compared}
   * @param notes the notes that the command prints
   */
  public int write(Answer answer, String made, List<String> notes) {
    RunFacts run = CommandFacts.run(spec).withNotes(notes);
    return Diagnostics.of(spec).write(path, out -> HtmlPrinter.print(answer, made, run, out));
  }
}
