package dev.stowage.onnxbudget.memory;

import java.util.List;

/**
 * The measured workspace of an operator: memory that its kernel requests and frees while it runs.
 *
 * @param operator the operator with its attributes and the number of threads
 * @param types the types of its inputs and results
 * @param tensorBytes the bytes of its inputs and results
 * @param bufferBytes the sizes of the requests that were live when the workspace was largest
 */
public record OperatorWorkspace(
    String operator, String types, long tensorBytes, List<Long> bufferBytes) {

  /** Creates a workspace. */
  public OperatorWorkspace {
    bufferBytes = List.copyOf(bufferBytes);
  }

  /** {@return the sum of the sizes} */
  public long bytes() {
    return bufferBytes.stream().mapToLong(Long::longValue).sum();
  }

  /** {@return this workspace if the inputs and results of the operator had another size} */
  List<Long> scaledTo(long newTensorBytes) {
    double scale = (double) newTensorBytes / Math.max(1, tensorBytes);
    return bufferBytes.stream().map(size -> (long) Math.ceil(size * scale)).toList();
  }
}
