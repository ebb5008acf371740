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

  /** The format of one answer. */
  private interface Printing {
    void print(Answer answer, Writer out) throws IOException;
  }

  private static final int DEFAULT_COLUMNS = 80;

  private final boolean isTable;
  private final Printing printing;

  /**
   * Creates a printer.
   *
   * @param width the number of columns of the terminal, for tables
   */
  public AnswerPrinter(Format format, int width) {
    isTable = format == Format.TABLE;
    printing =
        switch (format) {
          case TABLE -> new TerminalPrinter(width)::print;
          case JSON -> JsonPrinter::print;
          case CSV -> new CsvPrinter()::print;
        };
  }

  /** {@return a printer with the width that the start script found, or 80 columns} */
  public static AnswerPrinter of(Format format) {
    return new AnswerPrinter(format, Integer.getInteger("stowage.columns", DEFAULT_COLUMNS));
  }

  /** {@return true if people read the answers} */
  public boolean isTable() {
    return isTable;
  }

  /** Prints an answer, and flushes the output. */
  public void print(Answer answer, Writer out) throws IOException {
    printing.print(answer, out);
    out.flush();
  }
}
