package dev.stowage.cli.input;

import java.util.Optional;

/**
 * The options of {@code --runtime tflm}.
 *
 * @param scratch the file with the scratch buffers, if there is one
 * @param isWithoutScratch true if the user states that there are no scratch buffers
 */
public record MicroOptions(Optional<String> scratch, boolean isWithoutScratch) {

  /** {@return true if all scratch buffers are known} */
  boolean isScratchKnown() {
    return scratch.isPresent() || isWithoutScratch;
  }
}
