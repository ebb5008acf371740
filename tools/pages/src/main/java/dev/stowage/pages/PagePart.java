package dev.stowage.pages;

import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** The content of a page, which is alone in a file or a part of a report. */
interface PagePart {

  /**
   * The head of a page.
   *
   * @param kind the kind, which has a template and scripts of its own
   * @param subject the subject in the title of the window
   * @param made the participle for the content, such as {@code Planned}
   * @param run the run of the command
   */
  record Head(ReportKind kind, String title, String subject, String made, RunFacts run) {}

  Head head();

  /** Writes the content of a place in the template. */
  void fillIn(String place, Writer out) throws IOException;

  void writeData(JsonGenerator json);
}
