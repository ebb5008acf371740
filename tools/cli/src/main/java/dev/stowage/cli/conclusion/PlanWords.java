package dev.stowage.cli.conclusion;

import dev.stowage.cli.input.InputFile;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.PlanProblem;

/** Parts of sentences on plans. */
final class PlanWords {

  private PlanWords() {}

  /** {@return the records of a file: {@code all 5 tensors of 9 tasks}} */
  static String all(int count, String thing, InputFile file) {
    return (count == 1 ? "the only " + thing : "all " + Numbers.count(count, thing))
        + " of "
        + Numbers.count(file.operatorCount(), "task");
  }

  /** {@return the saving; with an alignment or pins, a plan can be larger than all tensors} */
  static String saving(long bytes, PlanProblem problem) {
    long naiveBytes = problem.naiveBytes();
    if (bytes == naiveBytes) {
      return "as much as unshared";
    }
    String unshared = " (" + ByteUnit.human(naiveBytes) + ")";
    if (bytes > naiveBytes) {
      return Numbers.percent(bytes - naiveBytes, naiveBytes)
          + (problem.hasPins()
              ? " more than the sum of its tensors"
              : " more than unshared and unaligned")
          + unshared;
    }
    String percent = Numbers.percent(naiveBytes - bytes, naiveBytes);
    // A saving below 100 % is not rounded to 100 %.
    return (bytes > 0 && percent.equals("100.0 %") ? "over 99.9 %" : percent)
        + " less than unshared"
        + unshared;
  }
}
