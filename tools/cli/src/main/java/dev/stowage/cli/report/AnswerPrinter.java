package dev.stowage.cli.report;

import java.io.IOException;
import java.io.Writer;

/** Prints the answers of a command in one format. */
public final class AnswerPrinter {

  /** A format of answers. */
  public enum Format {
    /** Lines and tables for people. */
    TABLE,
    /** A line of JSON for each answer. */
    JSON,
    /** Lines of CSV, with a header before the first one. */
    CSV
  }

  private static final int DEFAULT_COLUMNS = 80;

  private final Format format;
  private final TerminalPrinter terminal;
  private final CsvPrinter csv = new CsvPrinter();

  /**
   * Creates a printer.
   *
   * @param width the number of columns of the terminal, for tables
   */
  public AnswerPrinter(Format format, int width) {
    this.format = format;
    terminal = new TerminalPrinter(width);
  }

  /** {@return a printer with the width that the start script found, or 80 columns} */
  public static AnswerPrinter of(Format format) {
    return new AnswerPrinter(format, Integer.getInteger("stowage.columns", DEFAULT_COLUMNS));
  }

  /** {@return true if people read the answers} */
  public boolean isTable() {
    return format == Format.TABLE;
  }

  /** Prints an answer, and flushes the output. */
  public void print(Answer answer, Writer out) throws IOException {
    switch (format) {
      case TABLE -> terminal.print(answer, out);
      case JSON -> JsonPrinter.print(answer, out);
      case CSV -> csv.print(answer, out);
    }
    out.flush();
  }
}
