package dev.stowage.fleet.job;

import java.util.regex.Pattern;

/** The message for the user in a failure of Flink. */
final class RootMessage {

  private static final String CAUSE = "Caused by: ";

  /** The names of exceptions in front of a message. */
  private static final Pattern NAMES = Pattern.compile("^(\\[?([a-z]\\w*\\.)+[A-Z][\\w$]*: ?)+");

  private RootMessage() {}

  /**
   * {@return the message of a {@link SweepException} in the chain of causes, or the last message}
   */
  static String of(Throwable failure) {
    String own = SweepException.class.getName() + ": ";
    Throwable root = failure;
    for (Throwable each = failure; each != null; each = each.getCause()) {
      // Flink replaces exceptions that cross processes by copies with the name of the class in the
      // message.
      String message = String.valueOf(each.getMessage());
      if (each instanceof SweepException) {
        return message;
      }
      if (message.startsWith(own)) {
        return message.substring(own.length());
      }
      root = each;
    }
    return withoutTrace(root.toString());
  }

  /** {@return a message without a stack trace and without the names of exceptions} */
  private static String withoutTrace(String message) {
    // The REST endpoint sends the stack trace as a message.
    int cause = message.lastIndexOf(CAUSE);
    String last = cause < 0 ? message : message.substring(cause + CAUSE.length());
    String line = last.lines().findFirst().orElse("").strip();
    String text = NAMES.matcher(line).replaceFirst("");
    return text.isEmpty() ? line : text;
  }
}
