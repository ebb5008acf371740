package dev.stowage.cli.input;

import java.util.List;
import java.util.Optional;

/**
 * The options of {@code --runtime tflm}.
 *
 * @param scratch the file with the scratch buffers, if there is one
 * @param isWithoutScratch true if the user states that there are no scratch buffers
 * @param regionBytes the bytes of each memory region of the application for decompression
 */
public record MicroOptions(
    Optional<String> scratch, boolean isWithoutScratch, List<Long> regionBytes) {

  public MicroOptions {
    regionBytes = List.copyOf(regionBytes);
  }

  /** {@return true if all scratch buffers are known} */
  boolean isScratchKnown() {
    return scratch.isPresent() || isWithoutScratch;
  }
}
