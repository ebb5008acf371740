package dev.stowage.cli.input;

import java.util.List;
import java.util.Optional;

/**
 * The options of {@code --runtime tflm}.
 *
 * @param kernels the name of the kernels, if they are known
 * @param scratch the file with the scratch buffers, if there is one
 * @param isWithoutScratch true if the user states that there are no scratch buffers
 * @param usedBytes the arena that the interpreter reports to use for the model, if it was measured
 * @param regionBytes the bytes of each memory region of the application for decompression
 * @param headCapacity the bytes into which the head must fit, if they are limited
 */
public record MicroOptions(
    Optional<String> kernels,
    Optional<String> scratch,
    boolean isWithoutScratch,
    Optional<Long> usedBytes,
    List<Long> regionBytes,
    Optional<Long> headCapacity) {

  public MicroOptions {
    regionBytes = List.copyOf(regionBytes);
  }

  /** {@return options that state that there are no scratch buffers} */
  public static MicroOptions withoutScratch(List<Long> regionBytes) {
    Optional<String> none = Optional.empty();
    return new MicroOptions(none, none, true, Optional.empty(), regionBytes, Optional.empty());
  }

  /** {@return true if all scratch buffers are known} */
  public boolean isScratchKnown() {
    return kernels.isPresent() || scratch.isPresent() || isWithoutScratch;
  }
}
