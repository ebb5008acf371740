package dev.stowage.cli.report;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;

/** Answers in a format. */
public final class Printed {

  private Printed() {}

  /** {@return the text of an answer, with tables in full} */
  public static String of(AnswerPrinter.Format format, Answer answer) throws IOException {
    return of(format, List.of(answer));
  }

  /** {@return the text of the answers of a command, with tables in full} */
  public static String of(AnswerPrinter.Format format, List<Answer> answers) throws IOException {
    StringWriter out = new StringWriter();
    AnswerPrinter printer = new AnswerPrinter(format, Integer.MAX_VALUE);
    for (Answer answer : answers) {
      printer.print(answer, out);
    }
    return out.toString();
  }
}
