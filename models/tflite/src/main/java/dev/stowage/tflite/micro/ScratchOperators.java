package dev.stowage.tflite.micro;

import java.util.List;

/**
 * The operators of a model with kernels in TensorFlow Lite Micro that usually request scratch
 * buffers, each by its name and index, such as {@code SVDF 3}.
 *
 * <p>The kernels decide the sizes, so that a model does not contain them.
 *
 * @param reference the operators with a reference kernel that requests scratch buffers
 * @param optimized the operators with only optimized kernels that do, for example of CMSIS-NN or
 *     Xtensa
 * @param custom custom operators; their kernels are unknown
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
