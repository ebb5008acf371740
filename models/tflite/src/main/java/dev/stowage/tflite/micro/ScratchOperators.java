package dev.stowage.tflite.micro;

import java.util.List;

/**
 * The operators of a model whose kernels in TensorFlow Lite Micro usually request scratch buffers,
 * each by its name and index, such as {@code SVDF 3}.
 *
 * <p>The kernels decide the sizes, so that a model does not contain them.
 *
 * @param reference those whose reference kernel requests scratch buffers
 * @param optimized those of which only optimized kernels do, such as those of CMSIS-NN or Xtensa
 * @param custom custom operators, whose kernels are not known
 */
public record ScratchOperators(
    List<String> reference, List<String> optimized, List<String> custom) {

  /** Creates a list. */
  public ScratchOperators {
    reference = List.copyOf(reference);
    optimized = List.copyOf(optimized);
    custom = List.copyOf(custom);
  }
}
