package dev.stowage.cli.text;

/** Text that may be anything, such as a file's name, made fit to be printed on a line. */
public final class Printable {

  private Printable() {}

  /**
   * {@return the text with a question mark for each control character}
   *
   * @param text any text
   */
  public static String of(String text) {
    return text.replaceAll("\\p{Cc}", "?");
  }
}
