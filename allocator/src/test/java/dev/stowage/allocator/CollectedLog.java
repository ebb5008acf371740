package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** A logger that keeps its messages. */
final class CollectedLog implements System.Logger {

  private final Level lowest;
  private final List<String> messages = new ArrayList<>();
  private final Runnable handler;

  /** Creates a logger that runs an action for each message. */
  CollectedLog(Level lowest, Runnable handler) {
    this.lowest = lowest;
    this.handler = handler;
  }

  List<String> messages() {
    return messages;
  }

  @Override
  public String getName() {
    return "collected";
  }

  @Override
  public boolean isLoggable(Level level) {
    return level.compareTo(lowest) >= 0;
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (isLoggable(level)) {
      messages.add(level + " " + message);
      handler.run();
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object... params) {
    log(level, bundle, format, (Throwable) null);
  }
}
