package dev.stowage.pages;

import java.io.IOException;

/** The page of an input, as a part of a report. */
interface PagePart {

  /** {@return the kind of the page, which has scripts of its own} */
  ReportKind kind();

  /** Writes the content of the page as HTML. */
  void writeBody() throws IOException;

  /** Writes the data of the page as JSON for a script element. */
  void writeData() throws IOException;
}
