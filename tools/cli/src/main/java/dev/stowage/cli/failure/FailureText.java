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
   * {@return words of which each text has at least one}
   *
   * <p>Each blank stands for any white space.
   */
  List<String> marks();

  /**
   * Reads the lines from one on in which words of this grammar start.
   *
   * @param lines the lines
   * @param start where the words start in the first of them
   * @return the failure as far as it is known then; one that starts at the same line as the failure
   *     before replaces it; empty if the words mean something else
   */
  Optional<Failure> read(FailureLines lines, int start);
}
