package dev.stowage.pages;

import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The facts of a run as HTML that needs no scripts. */
final class RunMarkup {

  private RunMarkup() {}

  /** {@return the answer that the page starts with; empty if there is none} */
  static String conclusion(RunFacts run) {
    if (run.conclusion().isEmpty()) {
      return "";
    }
    Conclusion conclusion = run.conclusion().get();
    return "<section id=\"conclusion\" aria-label=\"Answer\">\n<p class=\"figure\">"
        + MarkupText.escaped(conclusion.figure())
        + "</p>\n<div>\n<p class=\"sentence\">"
        + MarkupText.escaped(unbroken(conclusion.sentence()))
        + "</p>\n<p class=\"confidence\">"
        + MarkupText.escaped(unbroken(conclusion.confidence()))
        + "</p>\n"
        + conclusion.command().map(RunMarkup::command).orElse("")
        + "</div>\n</section>\n";
  }

  /** {@return a text that never breaks a line between a number and its unit} */
  private static String unbroken(String text) {
    return text.replaceAll("(?<=[0-9]) (?=%|[KMGTPE]?i?B\\b|bytes?\\b)", "\u00a0");
  }

  /** {@return a line of a shell or of a program, with a button that copies it} */
  static String command(String line) {
    return "<div class=\"command\"><pre class=\"paste\">"
        + MarkupText.escaped(line)
        + "</pre><button type=\"button\" class=\"copy\">Copy</button></div>\n";
  }

  /** {@return the lines that the command prints on a failure; empty if there are none} */
  static String diagnosis(RunFacts run, String title) {
    return run.diagnosis().isEmpty()
        ? ""
        : "<details id=\"diagnosis\" open>\n<summary>"
            + title
            + "</summary>\n<pre>"
            + MarkupText.escaped(run.diagnosis().strip())
            + "</pre>\n</details>\n";
  }

  /** {@return the command line, the options in effect and the notes} */
  static String facts(RunFacts run) {
    if (run.facts().isEmpty()) {
      return "";
    }
    Stream<RunFacts.Fact> notes = run.notes().stream().map(note -> new RunFacts.Fact("note", note));
    return Stream.concat(run.facts().stream(), notes)
        .map(fact ->
            "<div><dt>"
                + fact.term()
                + "</dt><dd>"
                + MarkupText.escaped(Printable.of(fact.text()))
                + "</dd></div>\n")
        .collect(
            Collectors.joining(
                "",
                "<details id=\"run\">\n<summary>This run: command, options and notes</summary>\n<dl>\n",
                "</dl>\n</details>\n"));
  }

  /** {@return figures, the most important first} */
  static String figures(List<RunFacts.Fact> figures) {
    return figures.stream()
        .map(figure ->
            "<div><dt>"
                + MarkupText.escaped(figure.term())
                + "</dt><dd>"
                + MarkupText.escaped(figure.text())
                + "</dd></div>\n")
        .collect(Collectors.joining("", "<dl class=\"numbers\">\n", "</dl>\n"));
  }
}
