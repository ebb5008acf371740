package dev.stowage.cli.output;

import dev.stowage.pages.MarkupText;
import java.io.IOException;
import java.io.Writer;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The outcomes of a command as JUnit XML, with all elements and attributes that the schema of
 * Apache Ant's reports requires and none that the schema of Jenkins does not have.
 *
 * @param suite the name of the suite, such as {@code stowage plan}
 * @param start the time at which the command started, in UTC
 * @param cases the outcomes of the inputs
 */
public record JunitFile(String suite, LocalDateTime start, List<Case> cases) {

  /** The format of dates without a zone. */
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);

  /** A kind of outcomes that are no success. */
  public enum Problem {
    /** The result is not good enough. */
    failure,
    /** There is no result. */
    error
  }

  /**
   * The outcome of an input.
   *
   * @param name the input
   * @param seconds the time of the work
   * @param problem the kind of the problem; empty for a success
   * @param type the type of the problem, such as {@code exit code 5}
   * @param messages the messages of the command on the input
   */
  public record Case(
      String name, double seconds, Optional<Problem> problem, String type, List<String> messages) {

    public Case {
      messages = List.copyOf(messages);
    }
  }

  public JunitFile {
    cases = List.copyOf(cases);
  }

  public void write(Writer out) throws IOException {
    String name = MarkupText.escaped(suite);
    double seconds = cases.stream().mapToDouble(Case::seconds).sum();
    out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    out.write(
        String.format(
            Locale.ROOT,
            "  <testsuite name=\"%s\" package=\"stowage\" id=\"0\" timestamp=\"%s\" hostname=\"localhost\""
                + " tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\" time=\"%.3f\">\n",
            name,
            SECONDS.format(start),
            cases.size(),
            count(Problem.failure),
            count(Problem.error),
            seconds));
    out.write("    <properties/>\n");
    for (Case one : cases) {
      write(one, name.replace(' ', '.'), out);
    }
    out.write("    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n");
  }

  private long count(Problem problem) {
    return cases.stream().filter(one -> one.problem().equals(Optional.of(problem))).count();
  }

  private static void write(Case one, String className, Writer out) throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "    <testcase name=\"%s\" classname=\"%s\" time=\"%.3f\"",
            MarkupText.escaped(one.name()),
            className,
            one.seconds()));
    if (one.problem().isEmpty()) {
      out.write("/>\n");
      return;
    }
    String first = one.messages().isEmpty() ? one.type() : one.messages().getFirst();
    out.write(
        String.format(
            Locale.ROOT,
            ">\n      <%1$s type=\"%2$s\" message=\"%3$s\">%4$s</%1$s>\n    </testcase>\n",
            one.problem().get(),
            MarkupText.escaped(one.type()),
            MarkupText.escaped(first),
            MarkupText.escaped(String.join("\n", one.messages()))));
  }
}
