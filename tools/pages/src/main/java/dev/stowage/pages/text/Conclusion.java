package dev.stowage.pages.text;

import java.util.Optional;

/**
 * The answer that a page starts with, before its picture and its tables.
 *
 * @param figure the most important figure, such as {@code 5.742 MiB}
 * @param sentence a sentence that says what the figure is
 * @param confidence a sentence on how sure the figure is
 * @param command a command line, or a setting, that acts on the answer; empty if there is nothing
 *     to do
 */
public record Conclusion(
    String figure, String sentence, String confidence, Optional<String> command) {

  /** {@return this conclusion without a command} */
  public Conclusion withoutCommand() {
    return new Conclusion(figure, sentence, confidence, Optional.empty());
  }
}
