package dev.stowage.fleet.flink;

/** The message for the user in a failure of Flink. */
final class RootMessage {

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
    return root.toString();
  }
}
