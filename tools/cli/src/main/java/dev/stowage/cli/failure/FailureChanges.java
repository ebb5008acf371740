package dev.stowage.cli.failure;

import java.util.List;

/**
 * Changes after a failed request: some can help, and others cannot.
 *
 * @param remedies the changes that can help, the most likely one first
 * @param useless the popular changes that cannot help
 */
public record FailureChanges(List<Remedy> remedies, List<Remedy> useless) {

  /** No changes. */
  public static final FailureChanges NONE = new FailureChanges(List.of(), List.of());

  /**
   * A change.
   *
   * @param text a sentence if the change can help; otherwise a noun phrase
   * @param paste the line to paste; empty if there is none
   * @param why the reason, a sentence
   */
  public record Remedy(String text, String paste, String why) {

    /** {@return the change on one line, without the reason} */
    public String line() {
      return paste.isEmpty() ? text : text.substring(0, text.length() - 1) + ": " + paste;
    }
  }
}
