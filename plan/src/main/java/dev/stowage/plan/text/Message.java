package dev.stowage.plan.text;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts with values, which are the same in every locale. */
public final class Message {

  private Message() {}

  /** {@return a text with values, as {@link String#format}} */
  @SuppressWarnings("AnnotateFormatMethod") // would need a further library
  public static String of(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** {@return an exception with a text as of {@link #of}} */
  @SuppressWarnings("AnnotateFormatMethod") // would need a further library
  public static IllegalArgumentException illegalArgument(
      String format, @Nullable Object... values) {
    return new IllegalArgumentException(of(format, values));
  }
}
