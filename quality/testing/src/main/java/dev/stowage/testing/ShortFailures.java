package dev.stowage.testing;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;

/**
 * Failures of tests in at most 40 lines: of two long texts, the lines at the first difference.
 *
 * <p>JUnit finds this extension by itself. {@code -Dtests.messages=whole} prints whole messages.
 */
public final class ShortFailures implements TestExecutionExceptionHandler {

  private static final int MAX_LINES = 40;

  /** The number of lines of each text behind the first difference. */
  private static final int SHOWN_LINES = 5;

  private static final int MAX_COLUMNS = 200;

  /** Creates the extension; JUnit calls this constructor. */
  public ShortFailures() {}

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw System.getProperty("tests.messages", "").equals("whole") ? failure : shortened(failure);
  }

  /** {@return a failure with the stack of another one, and at most 40 lines of its message} */
  static Throwable shortened(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    if (!(failure instanceof AssertionError) || isShort(message.lines().toList())) {
      return failure;
    }
    AssertionError shortened = new AssertionError(shortened(failure, message));
    shortened.setStackTrace(failure.getStackTrace());
    return shortened;
  }

  private static boolean isShort(List<String> lines) {
    return lines.size() <= MAX_LINES && lines.stream().allMatch(line -> columns(line) == 0);
  }

  /** {@return the number of columns that a line has too many} */
  private static int columns(String line) {
    return Math.max(0, line.length() - 2 * MAX_COLUMNS);
  }

  private static String shortened(Throwable failure, String message) {
    if (failure instanceof AssertionFailedError error
        && error.getExpected() != null
        && error.getActual() != null) {
      String expected = error.getExpected().getStringRepresentation();
      String actual = error.getActual().getStringRepresentation();
      if (!expected.equals(actual)) {
        return head(message) + difference(expected, actual);
      }
    }
    List<String> lines = message.lines().toList();
    int shown = Math.min(lines.size(), MAX_LINES - 1);
    return lines.subList(0, shown).stream()
            .map(line -> cut(line, 0))
            .collect(Collectors.joining("\n"))
        + (shown < lines.size() ? "\n… and " + (lines.size() - shown) + " more lines" : "");
  }

  /** {@return the description of the assertion in brackets, if there is one} */
  private static String head(String message) {
    String first = message.strip().lines().findFirst().orElse("");
    return first.startsWith("[") ? cut(first, 0) + "\n" : "";
  }

  private static String difference(String expected, String actual) {
    List<String> wanted = expected.lines().toList();
    List<String> found = actual.lines().toList();
    int line = 0;
    while (line < wanted.size()
        && line < found.size()
        && wanted.get(line).equals(found.get(line))) {
      line++;
    }
    int column = 0;
    if (line < wanted.size() && line < found.size()) {
      String one = wanted.get(line);
      String other = found.get(line);
      while (column < one.length()
          && column < other.length()
          && one.charAt(column) == other.charAt(column)) {
        column++;
      }
    }
    return String.format(
        Locale.ROOT,
        "The first difference is in line %d, column %d.\nexpected, %d lines:\n%s\nbut was, %d lines:\n%s",
        line + 1,
        column + 1,
        wanted.size(),
        shown(wanted, line, column),
        found.size(),
        shown(found, line, column));
  }

  /** {@return two lines before the first difference, and those behind it} */
  private static String shown(List<String> lines, int from, int column) {
    int first = Math.max(0, from - 2);
    return lines.subList(first, Math.min(lines.size(), from + SHOWN_LINES)).stream()
        .map(line -> "  " + cut(line, column))
        .collect(Collectors.joining("\n"));
  }

  /** {@return a line with at most 200 characters before a column and 200 behind it} */
  private static String cut(String line, int column) {
    if (columns(line) == 0) {
      return line;
    }
    int first = Math.clamp(column - MAX_COLUMNS, 0, line.length());
    int end = Math.clamp((long) column + MAX_COLUMNS, first, line.length());
    return (first > 0 ? "…" : "") + line.substring(first, end) + (end < line.length() ? "…" : "");
  }
}
