package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;

/**
 * A grammar of texts of failures.
 *
 * <p>An object has the state of reading one text: reports may have any number of lines.
 */
interface FailureText {

  /**
   * {@return words; each text has at least one of them}
   *
   * <p>Each blank stands for any white space.
   */
  List<String> marks();

  /**
   * Reads the lines from the first one with words of this grammar.
   *
   * @param lines the lines
   * @param start the position of the words in the first line
   * @return the failure as far as these lines tell it; it replaces the previous failure if both
   *     start at the same line; empty if the words mean something else
   */
  Optional<Failure> read(FailureLines lines, int start);
}
