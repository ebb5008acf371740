package dev.stowage.pages.text;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formatted texts, the same in every locale. */
public final class Text {

  private Text() {}

  /** {@return the values in a format of {@link java.util.Formatter}} */
  @SuppressWarnings("AnnotateFormatMethod") // would need a further library
  public static String of(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
