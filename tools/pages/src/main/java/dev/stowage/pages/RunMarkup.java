package dev.stowage.pages;

import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.io.Writer;

/** The facts of a run as HTML that needs no scripts. */
final class RunMarkup {

  private RunMarkup() {}

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
