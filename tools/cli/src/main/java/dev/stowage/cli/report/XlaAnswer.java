package dev.stowage.cli.report;

import dev.stowage.cli.input.XlaProgram;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;

/** The memory of a program that XLA compiled, beside the plans of its temporaries. */
final class XlaAnswer {

  private XlaAnswer() {}

  /**
   * Adds the values that share buffers, and the memory that is not planned.
   *
   * @param recordCount the number of buffers
   */
  static void addTo(Answer answer, XlaProgram program, int recordCount) {
    if (recordCount == 0) {
      answer.line("The program has no temporaries, so that nothing is planned.");
    }
    if (program.valueCount() > recordCount) {
      answer.line(
          "%s share %s.",
          Numbers.count(program.valueCount(), "value"), Numbers.count(recordCount, "buffer"));
    }
    answer
        .line(
            "The rest of the program needs %s more, such as parameters, results and constants.",
            ByteUnit.exact(program.otherBytes()))
        .group(
            "xla",
            group ->
                group
                    .field("values", program.valueCount())
                    .field("other_bytes", program.otherBytes()));
  }
}
