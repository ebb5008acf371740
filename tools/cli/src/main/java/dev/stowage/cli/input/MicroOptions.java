package dev.stowage.cli.input;

import java.util.Optional;

/**
 * The options of {@code --runtime tflm}.
 *
 * @param kernels the name of the kernels, if they are known
 * @param scratch the file with the scratch buffers, if there is one
 * @param isWithoutScratch true if the user states that there are no scratch buffers
 * @param headCapacity the bytes into which the head must fit, if they are limited
 */
public record MicroOptions(
    Optional<String> kernels,
    Optional<String> scratch,
    boolean isWithoutScratch,
    Optional<Long> headCapacity) {

  /** {@return options for a model without scratch buffers} */
  public static MicroOptions withoutScratch() {
    Optional<String> none = Optional.empty();
    return new MicroOptions(none, none, true, Optional.empty());
  }

  /** {@return true if all scratch buffers are known} */
  public boolean isScratchKnown() {
    return kernels.isPresent() || scratch.isPresent() || isWithoutScratch;
  }
}
