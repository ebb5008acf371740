package dev.stowage.pages;

import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.io.Writer;

/** The facts of a run as HTML that needs no scripts. */
final class RunMarkup {

  private RunMarkup() {}

  /** Writes the answer that the page starts with; nothing if there is none. */
  static void writeConclusion(RunFacts run, Writer out) throws IOException {
    if (run.conclusion().isEmpty()) {
      return;
    }
    Conclusion conclusion = run.conclusion().get();
    out.append("<section id=\"conclusion\" aria-label=\"Answer\">\n<p class=\"figure\">")
        .append(MarkupText.escaped(conclusion.figure()))
        .append("</p>\n<div>\n<p class=\"sentence\">")
        .append(MarkupText.escaped(unbroken(conclusion.sentence())))
        .append("</p>\n<p class=\"confidence\">")
        .append(MarkupText.escaped(unbroken(conclusion.confidence())))
        .append("</p>\n");
    if (conclusion.command().isPresent()) {
      out.append(command(conclusion.command().get()));
    }
    out.append("</div>\n</section>\n");
  }

  /** {@return a text whose lines do not end between a number and its unit} */
  private static String unbroken(String text) {
    return text.replaceAll("(?<=[0-9]) (?=%|[KMGTPE]?i?B\\b|bytes?\\b)", "\u00a0");
  }

  /** {@return a line of a shell or of a program, with a button that copies it} */
  static String command(String line) {
    return "<div class=\"command\"><pre class=\"paste\">"
        + MarkupText.escaped(line)
        + "</pre><button type=\"button\" class=\"copy\">Copy</button></div>\n";
  }

  /** Writes the lines that the command prints on a failure; nothing if there are none. */
  static void writeDiagnosis(RunFacts run, String title, Writer out) throws IOException {
    if (!run.diagnosis().isEmpty()) {
      out.append("<details id=\"diagnosis\" open>\n<summary>" + title + "</summary>\n<pre>")
          .append(MarkupText.escaped(run.diagnosis().strip()))
          .append("</pre>\n</details>\n");
    }
  }

  /** Writes the command line, the options in effect and the notes. */
  static void writeFacts(RunFacts run, Writer out) throws IOException {
    if (run.facts().isEmpty()) {
      return;
    }
    out.append(
        "<details id=\"run\">\n<summary>This run: command, options and notes</summary>\n<dl>\n");
    for (RunFacts.Fact fact : run.facts()) {
      out.append("<div><dt>" + fact.term() + "</dt><dd>")
          .append(MarkupText.escaped(Printable.of(fact.text())))
          .append("</dd></div>\n");
    }
    for (String note : run.notes()) {
      out.append("<div><dt>note</dt><dd>")
          .append(MarkupText.escaped(Printable.of(note)))
          .append("</dd></div>\n");
    }
    out.append("</dl>\n</details>\n");
  }
}
