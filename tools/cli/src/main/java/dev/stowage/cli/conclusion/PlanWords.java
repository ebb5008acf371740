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
    String unshared = " than unshared (" + ByteUnit.human(naiveBytes) + ")";
    return Numbers.percent(Math.abs(naiveBytes - bytes), naiveBytes)
        + (bytes > naiveBytes ? " more" : " less")
        + unshared;
  }
}
