package dev.stowage.cli.report;

import dev.stowage.cli.input.XlaProgram;
import dev.stowage.pages.text.ByteUnit;

/** The memory of a program that XLA compiled, in addition to the plans of its temporaries. */
final class XlaAnswer {

  private XlaAnswer() {}

  /**
   * Adds the memory that is not planned.
   *
   * @param recordCount the number of buffers
   */
  static void addTo(Answer answer, XlaProgram program, int recordCount) {
    if (recordCount == 0) {
      answer.line("The program has no temporaries, so that nothing is planned.");
    }
    answer
        .line(
            "The rest of the program needs %s more, such as parameters, results and constants.",
            ByteUnit.exact(program.otherBytes()))
        .group("xla", group -> group.field("other_bytes", program.otherBytes()));
  }
}
