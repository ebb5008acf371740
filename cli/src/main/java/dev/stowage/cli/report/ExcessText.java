package dev.stowage.cli.report;

import dev.stowage.cli.text.Numbers;

/** Excesses as percentages. */
final class ExcessText {

  private ExcessText() {}

  /** {@return the percentage; never "0.0 %" for a plan that is larger, nor for a smaller one} */
  static String of(double excess) {
    if (excess == 0) {
      return "0.0 %";
    }
    return excess < 0.0005 ? "<0.1 %" : Numbers.percent(excess);
  }
}
