package dev.stowage.cli.failure;

import java.util.List;

/**
 * The changes that can help after a failed request, and those that cannot.
 *
 * @param remedies the changes that can help, the most likely one first
 * @param useless the popular changes that cannot help
 */
public record FailureChanges(List<Remedy> remedies, List<Useless> useless) {

  /** No changes. */
  public static final FailureChanges NONE = new FailureChanges(List.of(), List.of());

  /**
   * A change that can help.
   *
   * @param text the change, a sentence
   * @param paste the line to paste; empty if there is none
   * @param why the reason, a sentence
   */
  public record Remedy(String text, String paste, String why) {

    /** {@return the change on one line, without the reason} */
    public String line() {
      return paste.isEmpty() ? text : text.substring(0, text.length() - 1) + ": " + paste;
    }
  }

  /**
   * A popular change that cannot help.
   *
   * @param text the change, a noun phrase
   * @param why the reason, a sentence
   */
  public record Useless(String text, String why) {}
}
