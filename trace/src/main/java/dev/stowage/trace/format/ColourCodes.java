package dev.stowage.trace.format;

import java.util.regex.Pattern;

/** The codes with which programs colour a text on a terminal, and name its links. */
public final class ColourCodes {

  private static final Pattern CODE =
      Pattern.compile("\u001B(?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007\u001B]*(?:\u0007|\u001B\\\\))");

  private ColourCodes() {}

  /** {@return a text without the codes} */
  public static String removedFrom(String text) {
    return text.indexOf('\u001B') < 0 ? text : CODE.matcher(text).replaceAll("");
  }
}
