package dev.stowage.cli.plan;

/**
 * The effect of an option on the arena.
 *
 * @param option the option, such as {@code --alias}
 * @param isUsed true if the user chose the option; the bytes are then without it
 * @param baseBytes the bytes of the best plan found with the choice of the user
 * @param totalBytes the bytes of the best plan found with the other choice
 * @param lowerBoundBytes the proved lower bound of such plans
 */
public record OptionEffect(
    String option, boolean isUsed, long baseBytes, long totalBytes, long lowerBoundBytes) {

  /** {@return true if no such plan is smaller} */
  public boolean isOptimal() {
    return totalBytes == lowerBoundBytes;
  }
}
